"""Names of many origins, read from the text of another package's files."""

import subprocess
import sys

from privstamp.sensitivity.public_names import _lists, folded, read_origins


def test_names_of_many_origins_are_read():
    origins = read_origins()
    assert len(origins) > 75
    assert "Priya" in origins["en_IN"].given and "Kovač" not in origins["en_IN"].family
    assert "Abiodun" in origins["yo_NG"].given and "Adekunle" in origins["yo_NG"].family
    assert {"Tanaka", "Hiroshi"} <= origins["ja_JP"].given | origins["ja_JP"].family
    assert sum(len(one.given | one.family) for one in origins.values()) > 50_000
    assert "given" in repr(origins["de_DE"]) and "Priya" not in repr(origins["en_IN"])


def test_the_package_is_never_imported():
    program = (
        "import sys; from privstamp.sensitivity.public_names import read_origins; read_origins(); "
        "sys.exit('faker' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_only_lists_of_names_are_taken():
    source = """
formats = ("{{first_name}}",)
class Provider:
    first_names_male = ("Ann",) + ("Bo",)
    last_names: tuple = OrderedDict((("Cox", 0.1),))
    language_names = ("Danish",)
    male_last_names = ["Eck"]
    def first_name(self): return "Fay"
"""
    assert dict(_lists(source)) == {
        "first_names_male": {"Ann", "Bo"},
        "last_names": {"Cox"},
        "male_last_names": {"Eck"},
    }


def test_a_name_is_looked_up_with_and_without_accents():
    assert folded(["Smith", "De Vries"]) == {"smith", "de", "vries"}
    assert folded(["José Ångström", "Smith"]) == {"josé", "jose", "ångström", "angstrom", "smith"}
    assert folded(["\ufb01n", "Weiß"]) == {"fin", "weiss"} and folded([]) == set()
