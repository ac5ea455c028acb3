"""Writes Geist as pages need it: of its weights those that are used, and no fractions.

    make fonts      # after a new version of the package, or another weight in the style sheets

The result stands in `static/fonts/`, so that a build needs neither this nor its packages.
"""

from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "node_modules/@fontsource-variable/geist"
WEIGHTS = (400, 650)
FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "pnum", "tnum"]

for script in ("latin", "latin-ext", "cyrillic"):
    whole = TTFont(PACKAGE / f"files/geist-{script}-wght-normal.woff2", recalcTimestamp=False)
    font = instancer.instantiateVariableFont(whole, {"wght": WEIGHTS})
    # With its hints: without them browsers put letters at whole pixels.
    options = subset.Options(layout_features=FEATURES, name_IDs=[0, 1, 2, 13, 14])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(ROOT / f"static/fonts/geist-{script}.woff2")
(ROOT / "static/fonts/LICENSE").write_text((PACKAGE / "LICENSE").read_text())
