"""Hostile documents by name, similar to the test files of resvg, librsvg and poppler."""
from samples import document

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">'


def svg(content, before=""):
    return f"{before}{HEAD}{content}</svg>".encode()


def entities(levels):
    """Returns a document in which each level of entities is ten times as long as the previous level."""
    lines = ['<!ENTITY e0 "lol">'] + [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels)]
    return svg(f"<text>&e{levels - 1};</text>", f"<!DOCTYPE svg [{''.join(lines)}]>")


def uses(levels):
    """Returns a drawing of groups; each group uses the previous group ten times."""
    groups = ['<g id="g0"><rect width="9" height="9"/></g>']
    groups += [f'<g id="g{n}">{f"""<use xlink:href="#g{n - 1}"/>""" * 10}</g>' for n in range(1, levels)]
    return svg(f'<defs>{"".join(groups)}</defs><use xlink:href="#g{levels - 1}"/>')


def drawings(address):
    """Returns drawings that are large, deep or endless, or that refer to `address`."""
    return {
        "entities that multiply": entities(12),
        "uses that multiply": uses(12),
        "an entity with a file": svg("<text>&f;</text>", f'<!DOCTYPE svg [<!ENTITY f SYSTEM "{address}">]>'),
        "an external document type": svg("<rect/>", f'<!DOCTYPE svg SYSTEM "{address}">'),
        "a style sheet": svg("<rect/>", f'<?xml-stylesheet href="{address}"?>'),
        "an imported style sheet": svg(f"<style>@import url({address});</style><rect/>"),
        "an included file": svg(f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{address}" parse="text"/>'),
        "an image": svg(f'<image xlink:href="{address}" width="90" height="90"/>'),
        "a use of another file": svg(f'<use xlink:href="{address}#a"/>'),
        "a filter with an image": svg(f'<filter id="f"><feImage xlink:href="{address}"/></filter><rect filter="url(#f)" width="90" '
                                      'height="90"/>'),
        "a pattern of itself": svg('<pattern id="p" width="1" height="1"><rect fill="url(#p)" width="9" height="9"/></pattern>'
                                   '<rect fill="url(#p)" width="90" height="90"/>'),
        "a use of itself": svg('<g id="a"><use xlink:href="#a"/></g>'),
        "an image of itself": svg('<image xlink:href="#" width="9" height="9"/>'),
        "a deep tree": svg("<g>" * 200_000),
        "a huge size": svg("<rect/>").replace(b'width="100"', b'width="1e9"'),
        "a size without end": svg("<rect/>").replace(b'width="100"', b'width="inf"'),
        "a huge blur": svg('<filter id="f" x="-1e6" y="-1e6" width="1e9" height="1e9"><feGaussianBlur stdDeviation="1e8"/></filter>'
                           '<rect filter="url(#f)" width="90" height="90"/>'),
        "turbulence": svg('<filter id="f"><feTurbulence baseFrequency="5" numOctaves="100000000"/></filter>'
                          '<rect filter="url(#f)" width="90" height="90"/>'),
        "a dash of nothing": svg('<path d="M0 0H1e7" stroke="red" stroke-dasharray="1e-7"/>'),
        "a long path": svg(f'<path d="M0 0{"L9 9 0 0" * 200_000}" stroke="red"/>'),
    }


def stream(content, entries=b""):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def page(content, resources=b"<<>>", size=b"0 0 100 100", catalog=b"", more=()):
    """Returns a document with one page."""
    return document([
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog, b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources %s>>" % (size, resources), stream(content), *more,
    ])


def documents(address):
    """Returns documents that are large, deep or endless, or that refer to `address`."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 5 0 R>>>>"
    link = address.encode()
    return {
        "a form of itself": page(b"/A Do", b"<</XObject<</A 5 0 R>>>>", more=[stream(b"/A Do /A Do", form)]),
        "pages that are their own parent": document([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>"]),
        "a huge page": page(b"", size=b"0 0 1e9 1e9"),
        "a page without a size": page(b"", size=b"0 0 0 0"),
        "a thin page": page(b"", size=b"0 0 1000000 0.001"),
        "many operators": page(b"q " * 2_000_000),
        "many lines": page(b"0 0 m 99 99 l S " * 300_000),
        "a dash of nothing": page(b"[0.0000001] 0 d 0 0 m 99 99 l S"),
        "an image that states a huge size": page(b"/A Do", b"<</XObject<</A 5 0 R>>>>", more=[
            stream(b"x", b"/Type/XObject/Subtype/Image/Width 100000/Height 100000/BitsPerComponent 8/ColorSpace/DeviceRGB")]),
        "a program to start": page(b"", catalog=b"/OpenAction<</S/Launch/F(%s)>>" % link),
        "an address to open": page(b"", catalog=b"/OpenAction<</S/URI/URI(%s)>>" % link),
        "a script": page(b"", catalog=b"/OpenAction<</S/JavaScript/JS(app.launchURL\\('%s'\\))>>" % link),
        "a stream in another file": page(b"/A Do", b"<</XObject<</A 5 0 R>>>>", more=[
            stream(b"", b"/Type/XObject/Subtype/Image/Width 9/Height 9/BitsPerComponent 8/ColorSpace/DeviceGray/F(%s)" % link)]),
        "nothing": b"%PDF-1.7\n",
        "a cut document": page(b"0 0 m 9 9 l S")[:200],
    }
