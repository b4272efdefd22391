"""eCFR XML in both of its published forms becomes sections with their numbers."""

import pytest

from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.ecfr import ecfr_document

PART = """<?xml version="1.0" encoding="UTF-8"?>
<DIV5 N="991" NODE="14:2.0.1.3.10" TYPE="PART">
<HEAD>PART 991&#x2014;GLIDERS OF THE CLUB</HEAD>
<AUTH><HED>Authority:</HED><PSPACE>49 U.S.C. 1.</PSPACE></AUTH>
<DIV6 N="A" TYPE="SUBPART"><HEAD>Subpart A&#x2014;General</HEAD>
<DIV7 N="1" TYPE="SUBJGRP"><HEAD>Parking</HEAD>
<DIV8 N="991.5" TYPE="SECTION" VOLUME="2"><HEAD>§ 991.5   Ropes.</HEAD>
<P>(a) Three <I>ropes</I> hold 10<SU>2</SU> newton &amp; more.</P>
<FP-1>Flush text.</FP-1>
<NOTE><HED>Note:</HED><P>Ropes wear.</P></NOTE>
<DIV width="100%"><TABLE border="1"><TR><TH>Wind</TH><TH>Ropes</TH></TR><TR><TD>Less than 10 kt</TD><TD>2</TD></TR>
<TR><TD>More</TD><TD>3<BR/>or chains</TD></TR></TABLE></DIV>
<CITA TYPE="N">[Doc. No. 1, 54 FR 1, Jan. 1, 1989]</CITA></DIV8>
<DIV8 N="991.6-991.9" TYPE="SECTION"><HEAD>§§ 991.6-991.9   [Reserved]</HEAD></DIV8>
</DIV7></DIV6>
<DIV9 N="Appendix A to Part 991" TYPE="APPENDIX"><HEAD>Appendix A to Part 991&#x2014;Winches</HEAD>
<HD1>1. Cables</HD1><P>A cable is steel.</P></DIV9>
</DIV5>"""


def test_a_part_becomes_sections() -> None:
    document = ecfr_document(PART.encode())
    assert [(s.number, s.heading, s.anchor) for s in document.sections] == [
        ("991.5", "Ropes", "991.5"),
        ("", "1. Cables", "1-cables"),
    ]
    section, cables = document.sections
    assert section.path[1:] == ("Subpart A—General", "Parking", "§ 991.5 Ropes.")
    assert cables.path[1:] == ("Appendix A to Part 991—Winches", "1. Cables")
    assert [p.text for p in section.paragraphs] == [
        "§ 991.5 Ropes.",
        "(a) Three ropes hold 10² newton & more.",
        "Flush text.",
        "Note:",
        "Ropes wear.",
        "Wind | Ropes",
        "Less than 10 kt | 2",
        "More | 3; or chains",
    ]
    told = document.description
    assert (told.doc_type, told.abbreviation, told.title) == (
        "cfr",
        "14 CFR 991",
        "14 CFR Part 991. Gliders of the club",
    )
    assert not document.paged


def test_the_bulk_file_of_a_title_holds_many_parts() -> None:
    bulk = f"""<DLPSTEXTCLASS><HEADER><TITLE>Title 14</TITLE></HEADER><TEXT><BODY><ECFRBRWS>
<AMDDATE>Mar. 15, 2019</AMDDATE><DIV1 N="2" NODE="14:2" TYPE="TITLE"><HEAD>Title 14—Aeronautics and Space</HEAD>
<DIV3 N="I" TYPE="CHAPTER"><HEAD>CHAPTER I</HEAD>{PART.partition("?>")[2]}
<DIV5 N="992" NODE="14:3" TYPE="PART"><HEAD>PART 992—BALLOONS</HEAD><DIV8 N="§ 992.1" TYPE="SECTION">
<HEAD>§ 992.1   Baskets.</HEAD><P>A basket is wicker.</P></DIV8></DIV5></DIV3></DIV1></ECFRBRWS></BODY></TEXT>
</DLPSTEXTCLASS>"""
    document = ecfr_document(bulk.encode())
    assert [s.number for s in document.sections] == ["991.5", "", "992.1"]
    assert document.sections[-1].path[1:] == ("PART 992—BALLOONS", "§ 992.1 Baskets.")
    assert document.description.edition_date == "2019-03-15"
    assert (document.description.abbreviation, document.description.doc_type) == ("14 CFR", "cfr")


def test_a_part_of_another_title_is_not_called_14_cfr() -> None:
    other = PART.replace('NODE="14:', 'NODE="49:')
    assert ecfr_document(other.encode()).description.abbreviation == "49 CFR 991"


def test_old_files_are_in_the_encoding_that_they_name() -> None:
    old = PART.replace("UTF-8", "ISO-8859-1").encode("iso-8859-1")
    assert ecfr_document(old).sections[0].number == "991.5"


BAD = [
    (b"<DIV5 TYPE='PART'><HEAD>x", "broken"),
    (b"<rss><channel/></rss>", "no eCFR"),
    (b"<DIV5 N='1' TYPE='PART'></DIV5>", "no text"),
    (b"<!DOCTYPE ECFR [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><ECFR>&b;</ECFR>", "entities"),
    (b"<!DOCTYPE ECFR [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><ECFR>&f;</ECFR>", "entities"),
    (b"<ECFR>" + b"<P>" * 5000, "deeper"),
]


@pytest.mark.parametrize(("data", "why"), BAD)
def test_what_is_no_ecfr_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(RefusedFile, match=why):
        ecfr_document(data)
