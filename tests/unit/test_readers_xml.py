"""Readers of Wikipedia dumps, the NYT corpus and GAP, on small files written here."""

import bz2
import gzip
import io
import tarfile

import pytest
from readers_on_files import error, read

from biasorigin.readers import Report
from biasorigin.readers.wikitext import plain_text
from biasorigin.readers.wikitext_balance import count_unclosed

HIDDEN = {"file", "image", "category", "datei"}


def page(number, title, text, namespace=0, extra=""):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f"<page><title>{title}</title><ns>{namespace}</ns><id>{number}</id>{extra}<revision><id>9{number}</id>"
        f'<contributor><username>U</username><id>5</id></contributor><text xml:space="preserve">{escaped}</text>'
        "</revision></page>\n"
    )


def dump(*pages):
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="de">\n<siteinfo>'
        '<namespaces><namespace key="0"/><namespace key="6">Datei</namespace></namespaces></siteinfo>\n'
        + "".join(pages)
        + "</mediawiki>"
    )


def test_wikipedia(tmp_path):
    article = (
        "{{Infobox|name=Ada|note={{nested}}}}\n"
        "'''Ada Lovelace''' was a [[mathematician|maths expert]].<ref>A book</ref>\n"
        "[[Datei:Ada.jpg|thumb|A picture of [[Ada]]]]\n== Life ==\n* Born in [[London]]\n{| class=x\n| cell\n|}\n"
        "She &amp; Babbage.[[Category:People]] [[fr:Ada]] __NOTOC__<!-- hidden -->"
    )
    pages = [
        page(1, "Ada", article),
        page(2, "AL", "#REDIRECT [[Ada]]", extra='<redirect title="Ada" />'),
        page(3, "A L", "#redirect [[Ada]]"),
        page(4, "Mercury", "Mercury may mean:\n* a planet\n{{Disambig}}"),
        page(5, "Venus (disambiguation)", "* a planet"),
        page(6, "Talk:Ada", "Nice page.", namespace=1),
        page(7, "Hatnote", "{{about|a thing|others|Hatnote (disambiguation)}} A thing."),
        page(8, "Empty", "{{stub}}"),
    ]
    for name, data in {"dump.xml": dump(*pages).encode(), "dump.xml.bz2": bz2.compress(dump(*pages).encode())}.items():
        (tmp_path / name).write_bytes(data)
        report = Report()
        documents = read("wikipedia", tmp_path / name, report)
        assert [(d.id, d.metadata) for d in documents] == [("1", {"title": "Ada"}), ("7", {"title": "Hatnote"})]
        assert documents[0].text == "Ada Lovelace was a maths expert.\nLife\nBorn in London\nShe & Babbage."
        assert documents[1].text == "A thing."
        assert documents[0].place == f"{name}:line 3"
        counts = (report.redirects, report.disambiguations, report.other_namespaces, report.empty, report.documents)
        assert counts == (2, 2, 1, 1, 2)


def test_wikipedia_dump_in_two_bz2_streams(tmp_path):
    whole = dump(page(1, "A", "one"), page(2, "B", "two")).encode()
    (tmp_path / "d.bz2").write_bytes(bz2.compress(whole[:300]) + bz2.compress(whole[300:]))
    assert [d.text for d in read("wikipedia", tmp_path / "d.bz2")] == ["one", "two"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("''a'' '''b''' <b>c</b> <span style='x'>d</span>", "a b c d"),
        ("[http://x.org a site] and http://x.org [http://x.org]", "a site and"),
        ("[[Category:X]][[:Category:X]][[Image:a.png|thumb]]", "Category:X"),
        ("one<br />two<br>three", "one\ntwo\nthree"),
        ("# first\n# second\n: indented\n; term", "first\nsecond\nindented\nterm"),
        ("x<ref name=a/>y<ref>{{cite|a}}</ref>z<references/>", "xyz"),
        ("a<math>x^2</math>b<gallery>\nFile:a.jpg|c\n</gallery>", "ab"),
        ("{{a|{{b}}|[[c]]}}left {{{argument|d}}}", "left"),
        ("{|\n! head\n|-\n| {| inner |} \n|}\nafter", "after"),
        ("5&nbsp;km &eacute; &#233; &lt;", "5 km é é <"),
        ("[[2001: A Space Odyssey]] and [[Star Trek: Picard|Picard]]", "2001: A Space Odyssey and Picard"),
        ("<nowiki>'''kept'''</nowiki>", "'''kept'''"),
        ("a {{unclosed b", "a {{unclosed b"),
        ("", ""),
    ],
)
def test_markup_is_removed(markup, expected):
    assert plain_text(markup, HIDDEN) == expected


def test_deeply_nested_markup_is_an_error_or_text_but_never_a_crash(tmp_path):
    text = "{{a|" * 3000 + "x" + "}}" * 3000 + "[[a|" * 3000 + "<b>" * 3000
    (tmp_path / "d.xml").write_text(dump(page(1, "Deep", text), page(2, "Next", "words")))
    report = Report()
    assert read("wikipedia", tmp_path / "d.xml", report)[-1].text == "words"


@pytest.mark.parametrize("broken", ["<b a='", "{{a|", "[[a|{{b]]}}", "<ref ", "{|\n", "<!--", "[http://a ", "<b>"])
def test_markup_that_never_closes_is_left_out_and_counted(broken, tmp_path):
    """The parser alone would take days for a page like these."""
    pages = [page(1, "Broken", broken * (1_500_000 // len(broken))), page(2, "Next", "words")]
    (tmp_path / "d.xml").write_text(dump(*pages))
    report = Report()
    assert [document.text for document in read("wikipedia", tmp_path / "d.xml", report)] == ["words"]
    assert report.unparsable == 1


@pytest.mark.parametrize(
    ("markup", "unclosed"),
    [
        ("{{a|b={{c}}|{{{d|}}}}} [[e|[[f]]]] [http://g h] <b>i</b> <br> <li> <ref name=j/> <!-- k -->", 0),
        ("[[File:a|thumb|b [http://c d]]] [[e]]", 0),
        ("{|\n|-\n| {{a\n|b\n|}} || {{{c|}}}\n|}\n{{d|\n{|\n|}}}", 0),
        ("}} ]] |} </b> --> a ] b < c > d", 0),
        ("{{a [[b {| [c", 2),  # a table begins at the start of a line, and only an address makes an outer link
        ("[[a|{{b]] }}", 1),
        ("<i><b>a</i></b>", 1),
        ("<b>a <i", 2),
        (":{|\n|a\n<!-- [//x y", 3),
        ("<math>{{a}<b<c [[</MATH > {{a <nowiki>[[ {{ <pre></nowiki>", 1),
        ("<math>{{a {{b", 3),
        ("<math>{{a {{b</math x> {{c", 4),  # this is no end to the parser
        ("<b>a</b x> </b >", 0),
        ("<math/>{{a</math>", 1),
    ],
)
def test_what_is_opened_and_never_closed_is_counted(markup, unclosed):
    assert count_unclosed(markup) == unclosed


def test_disambiguation_templates_can_be_named(tmp_path):
    (tmp_path / "d.xml").write_text(dump(page(1, "M", "{{Begriffs_klärung}}"), page(2, "N", "{{disambig}} words")))
    report = Report()
    documents = read("wikipedia", tmp_path / "d.xml", report, disambiguation_templates=["Begriffs klärung"])
    assert [d.id for d in documents] == ["2"]
    assert report.disambiguations == 1


def test_duplicate_page_id_names_both_lines(tmp_path):
    (tmp_path / "d.xml").write_text(dump(page(1, "A", "one"), page(1, "B", "two")))
    assert "'1' is given twice: at d.xml:line 3 and at d.xml:line 4" in error("wikipedia", tmp_path / "d.xml")


def test_page_without_id_is_an_error(tmp_path):
    (tmp_path / "d.xml").write_text(dump(page("", "A", "one")))
    assert "d.xml:line 3: the document has no id" in error("wikipedia", tmp_path / "d.xml")


def test_cut_off_dump(tmp_path):
    whole = dump(page(1, "A", "one"), page(2, "B", "two")).encode()
    (tmp_path / "d.xml").write_bytes(whole[:-40])
    assert "d.xml:line 4: not well-formed XML" in error("wikipedia", tmp_path / "d.xml")
    (tmp_path / "d.bz2").write_bytes(bz2.compress(whole)[:-10])
    assert "d.bz2: damaged or cut off" in error("wikipedia", tmp_path / "d.bz2")
    (tmp_path / "e.xml").write_text("<html>no dump</html>")
    assert "expected a MediaWiki XML dump" in error("wikipedia", tmp_path / "e.xml")


def test_invalid_utf8_in_xml_is_counted(tmp_path):
    (tmp_path / "d.xml").write_bytes(dump(page(1, "A", "caf@ x")).encode().replace(b"@", b"\xe9"))
    report = Report()
    assert read("wikipedia", tmp_path / "d.xml", report)[0].text == "caf\ufffd x"
    assert report.encoding_errors == {"d.xml": 1}


LAUGHS = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
BOMBS = {
    "billion laughs": f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>',
    "quadratic": f'<!DOCTYPE x [<!ENTITY l9 "{"a" * 100_000}">]>',
    "outside file": '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/hostname">]>',
    "parameter": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://localhost:9/x.dtd"> %p;]>',
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("format", ["wikipedia", "nyt"])
def test_xml_bomb_is_an_error(tmp_path, bomb, format):
    body = dump(page(1, "A", "@")) if format == "wikipedia" else article("1", "@")
    (tmp_path / "bomb.xml").write_text(BOMBS[bomb] + body.replace("@", "&l9;"))
    message = error(format, tmp_path / "bomb.xml")
    assert "bomb.xml:line 1: a declaration of entity" in message


def test_deep_xml_is_an_error(tmp_path):
    (tmp_path / "deep.xml").write_text("<page>" + "<a>" * 10_000)
    assert "nested more than" in error("wikipedia", tmp_path / "deep.xml")


def test_page_larger_than_the_limit_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("biasorigin.readers.xml_elements.LARGEST_ELEMENT", 1000)
    (tmp_path / "d.xml").write_text(dump(page(1, "A", "words " * 1000)))
    assert "more than 1,000 characters" in error("wikipedia", tmp_path / "d.xml")


# New York Times


def article(number, *paragraphs, lead="LEAD: It began.", doctype=""):
    full = "".join(f"<p>{text}</p>" for text in (lead, *paragraphs))
    return f"""{doctype}<nitf change.date="June 10, 2005" version="-//IPTC//DTD NITF 3.3//EN">
<head><title>A title</title>
<meta content="1" name="publication_day_of_month"/><meta content="Metropolitan Desk" name="dsk"/>
<meta content="New York and Region; Arts" name="online_sections"/>
<docdata><doc-id id-string="{number}"/><doc.copyright holder="The paper" year="1987"/></docdata>
<pubdata date.publication="19870102T000000" name="The Paper"/></head>
<body><body.head><hedline><hl1>A Head
 Line</hl1></hedline><byline class="print_byline">By Nobody</byline></body.head>
<body.content><block class="lead_paragraph"><p>{lead}</p></block>
<block class="full_text">{full}</block></body.content></body></nitf>"""


DOCTYPE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">\n'
)


def month(path, members):
    with tarfile.open(path, "w:gz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def test_nyt(tmp_path):
    for year in ("1987", "1988"):
        (tmp_path / year).mkdir()
    month(
        tmp_path / "1987" / "01.tgz",
        {
            "01/02/0000001.xml": article("1", "First &amp; only.", "Second\n one.", doctype=DOCTYPE),
            "01/02/0000002.xml": article("2", doctype=DOCTYPE),
            "01/index.txt": "not an article",
        },
    )
    month(
        tmp_path / "1988" / "01.tgz",
        {"01/02/0000003.xml": article("3", "Caf&eacute;.", lead="No lead.", doctype=DOCTYPE)},
    )
    report = Report()
    documents = read("nyt", tmp_path, report)
    assert [(d.id, d.text) for d in documents] == [("1", "First & only.\nSecond one."), ("3", "No lead.\nCafé.")]
    assert documents[0].metadata == {
        "headline": "A Head Line",
        "date": "1987-01-02",
        "desk": "Metropolitan Desk",
        "section": "New York and Region; Arts",
    }
    assert documents[0].place == "1987/01.tgz:01/02/0000001.xml"
    assert (report.documents, report.empty, report.lead_paragraphs) == (2, 1, 2)


def test_nyt_unpacked_and_single_archive(tmp_path):
    (tmp_path / "0000001.xml").write_text(article("1", "Text."))
    assert [d.id for d in read("nyt", tmp_path)] == ["1"]
    path = month(tmp_path / "02.tar.gz", {"02/01/7.xml": article("7", "Text.")})
    assert [d.id for d in read("nyt", path)] == ["7"]


def test_nyt_errors_name_archive_and_member(tmp_path):
    broken = month(tmp_path / "a.tgz", {"1.xml": article("1", "Text.")[:-10]})
    assert "a.tgz:1.xml:line 10: not well-formed XML" in error("nyt", broken)
    other = month(tmp_path / "b.tgz", {"1.xml": "<html/>"})
    assert "b.tgz:1.xml: holds 0 nitf elements" in error("nyt", other)
    twice = month(tmp_path / "c.tgz", {"1.xml": article("1", "Text."), "2.xml": article("1", "Text.")})
    assert "at c.tgz:1.xml and at c.tgz:2.xml" in error("nyt", twice)
    missing = month(tmp_path / "d.tgz", {"1.xml": article("", "Text.")})
    assert "d.tgz:1.xml: the document has no id" in error("nyt", missing)
    unknown = month(tmp_path / "e.tgz", {"1.xml": article("1", "&bogus;", doctype=DOCTYPE)})
    assert "unknown entity &bogus;" in error("nyt", unknown)
    data = (tmp_path / "c.tgz").read_bytes()
    (tmp_path / "f.tgz").write_bytes(gzip.compress(gzip.decompress(data)[:3000]))
    assert "f.tgz" in error("nyt", tmp_path / "f.tgz")


# GAP

GAP_COLUMNS = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"


def gap_file(path, part, texts):
    rows = [f"{part}-{i}\t{t}\tshe\t9\tAnn\t0\tTRUE\tBea\t4\tFALSE\thttp://x.org/{i}" for i, t in enumerate(texts, 1)]
    path.write_text("\n".join([GAP_COLUMNS, *rows]) + "\n")
    return path


def test_gap(tmp_path):
    parts = {"development": ["Ann said ``yes''.", '"Bea" left'], "test": ["Third"], "validation": ['Fourth 5" one']}
    paths = [gap_file(tmp_path / f"gap-{part}.tsv", part, texts) for part, texts in parts.items()]
    documents = read("gap", paths)
    assert [d.id for d in documents] == ["development-1", "development-2", "test-1", "validation-1"]
    assert [d.text for d in documents] == ["Ann said ``yes''.", '"Bea" left', "Third", 'Fourth 5" one']
    assert documents[0].metadata == {"pronoun": "she", "url": "http://x.org/1"}
    assert [d.id for d in read("gap", tmp_path)] == [d.id for d in documents]


def test_gap_errors(tmp_path):
    path = gap_file(tmp_path / "gap-test.tsv", "test", ["one"])
    assert "'test-1' is given twice: at gap-test.tsv:row 1 and at gap-test.tsv:row 1" in error("gap", [path, path])
    (tmp_path / "x.tsv").write_text("ID\tTexts\tPronoun\tURL\n")
    assert "no column 'Text'; did you mean 'Texts'?" in error("gap", tmp_path / "x.tsv")
