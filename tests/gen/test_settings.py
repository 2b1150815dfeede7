"""What spec/cvars.toml may say, and what is refused."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from support import SPEC, run

import settings

GOOD = {
    "type": '"bytes"',
    "default": '"64K"',
    "range": '["0", "1G"]',
    "where": '"here"',
    "scope": '"job"',
    "level": '"user"',
    "what": '"It."',
}


class SettingsTest(unittest.TestCase):
    def load(self, name: str = "limit", **changes: str | None) -> settings.Setting:
        keys = {key: value for key, value in (GOOD | changes).items() if value is not None}
        with tempfile.TemporaryDirectory() as folder:
            text = f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
            (Path(folder) / "cvars.toml").write_text(text)
            (Path(folder) / "variables.toml").write_text('job = ["RANK"]\n')
            return settings.load(Path(folder)).all[0]

    def test_values_are_numbers_with_units(self) -> None:
        setting = self.load()
        self.assertEqual((setting.default, setting.least, setting.most), (64 << 10, 0, 1 << 30))
        time = self.load(type='"time"', default='"3ms"', range='["0", "2s"]')
        self.assertEqual((time.default, time.most), (3_000_000, 2_000_000_000))

    def test_auto_is_0_where_it_is_said_what_that_means(self) -> None:
        setting = self.load(default='"auto"', range='["1", "1G"]', auto='"what suits"')
        self.assertEqual((setting.default, setting.least, setting.auto), (0, 1, "what suits"))
        with self.assertRaisesRegex(ValueError, "'auto' is no bytes"):
            self.load(default='"auto"')

    def test_a_choice_is_its_position(self) -> None:
        setting = self.load(type='"choice"', choices='["auto", "on"]', default='"on"', range=None)
        self.assertEqual((setting.default, setting.least, setting.most), (1, 0, 1))

    def test_what_makes_no_sense_is_refused_with_its_name(self) -> None:
        for wrong, message in (
            ({"name": "Limit"}, "Limit: a name is words in small letters"),
            ({"default": '"2G"'}, "limit: its default is outside of its range"),
            ({"default": '"2X"'}, "'2X' is no bytes"),
            ({"type": '"time"', "default": '"7"', "range": '["0", "1s"]'}, "'7' is a time without a unit"),
            ({"scope": '"world"'}, "scope = 'world' is none of job, process, launcher"),
            ({"range": None}, "limit: has the keys"),
            ({"auto": '"what suits"'}, "limit: 0 means auto, so it cannot be in the range"),
            ({"type": '"choice"', "range": None, "choices": '["on"]'}, "default = '64K' is none of its choices"),
        ):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, message):
                self.load(**wrong)

    def test_no_name_is_also_that_of_another_variable(self) -> None:
        known = settings.load(SPEC)
        self.assertEqual({setting.name.upper() for setting in known.all} & set(known.others), set())

    def test_every_description_is_a_sentence(self) -> None:
        for setting in settings.load(SPEC).all:
            with self.subTest(setting.name):
                self.assertRegex(setting.what, r"^[A-Z].*\.$")


if __name__ == "__main__":
    run()
