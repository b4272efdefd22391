"""Where a country stands on a map of equal squares: near its neighbours, and large enough to be read. Pure."""

from typing import Final

_ROWS: Final = (
    "IS FO .. .. NO SE FI .. ..",
    ".. IM .. .. DK .. EE .. RU",
    "IE GB .. NL DE PL LV .. ..",
    "GG JE BE LU CZ SK LT BY ..",
    ".. .. FR CH LI AT HU UA ..",
    ".. .. MC IT SI HR RS RO MD",
    "PT ES AD SM BA ME XK BG ..",
    ".. GI .. MT AL MK GR TR CY",
)

PLACES: Final = {
    code: (column, row)
    for row, line in enumerate(_ROWS)
    for column, code in enumerate(line.split())
    if code != ".."
}
