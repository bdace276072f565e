"""Each checksum accepts a right number and refuses every other last digit, and most slips."""

import pytest

from privstamp.sensitivity import checksums

RIGHT = {
    "verhoeff": ["2363", "236312345679"],
    "mod11": ["9434765919", "080442957X"],
    "mod11_10": ["86095742719", "65929970489"],
    "ean": ["7569217076985", "4006381333931"],
    "cpf": ["52998224725", "11144477735"],
    "cnpj": ["11222333000181", "45997418000153"],
    "pesel": ["44051401359", "02070803628"],
    "bsn": ["111222333", "123456782"],
    "nir": ["255081416802538"],
    "belgian": ["85073003328", "17073003384"],
    "nif": ["12345678Z", "X1234567L"],
    "chinese": ["11010519491231002X"],
}
CASES = [(name, code) for name, codes in RIGHT.items() for code in codes]


@pytest.mark.parametrize(("name", "code"), CASES)
def test_accepts_the_right_one_alone(name, code):
    check = getattr(checksums, name)
    assert check(code)
    letters = "TRWAGMYFPDXBNJZSQVHLCKE" if name == "nif" else "0123456789"
    others = [code[:-1] + last for last in letters if last != code[-1]]
    assert not any(map(check, others))


@pytest.mark.parametrize("code", RIGHT["verhoeff"])
def test_verhoeff_notices_every_swap_of_neighbours(code):
    for i in range(len(code) - 1):
        swapped = code[:i] + code[i + 1] + code[i] + code[i + 2 :]
        assert swapped == code or not checksums.verhoeff(swapped)


def test_a_digit_repeated_is_no_cpf():
    assert not checksums.cpf("11111111111")


def test_corsican_numbers_have_a_letter():
    number = int("2550819168025")  # 2A is written for 19
    assert checksums.nir(f"255082A168025{97 - number % 97:02}") == (
        97 - int("2550819168025") % 97 == 97 - number % 97
    )
    assert not checksums.nir(f"255082A168025{(97 - number % 97) % 97 + 1:02}")
