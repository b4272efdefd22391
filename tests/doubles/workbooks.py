"""Excel workbooks of text, as a spreadsheet program stores them, written for the tests."""

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_BOOK = f"""<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>
<sheet name="Old" sheetId="9" state="hidden" r:id="rId9"/>
<sheet name="Rules" sheetId="1" r:id="rId1"/>{{more}}</sheets></workbook>"""
_RELATIONS = """<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId9" Target="worksheets/sheet9.xml"/></Relationships>"""


def workbook(
    rows: Sequence[Sequence[str]], more_parts: Mapping[str, str | bytes] | None = None, second_sheet: str = ""
) -> bytes:
    """Texts are shared strings; one that begins with "=" is a formula, and a number a number."""
    strings: list[str] = []
    body = []
    for number, row in enumerate(rows, 1):
        cells = []
        for column, text in enumerate(row):
            place = f"{chr(ord('A') + column)}{number}"
            if text.startswith("="):
                cells.append(f'<c r="{place}"><f>{escape(text[1:])}</f><v>2</v></c>')
            elif text.isdigit():
                cells.append(f'<c r="{place}"><v>{text}</v></c>')
            elif text:
                strings.append(text)
                cells.append(f'<c r="{place}" t="s"><v>{len(strings) - 1}</v></c>')
        body.append(f'<row r="{number}">{"".join(cells)}</row>')
    shared = "".join(
        f"<si><r><t>{escape(text[:3])}</t></r><r><t>{escape(text[3:])}</t></r></si>" for text in strings
    )
    more = f'<sheet name="{second_sheet}" sheetId="2" r:id="rId2"/>' if second_sheet else ""
    parts: dict[str, str | bytes] = {
        "xl/workbook.xml": _BOOK.format(more=more),
        "xl/_rels/workbook.xml.rels": _RELATIONS,
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{shared}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(body)}</sheetData></worksheet>',
        **(more_parts or {}),
    }
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return data.getvalue()
