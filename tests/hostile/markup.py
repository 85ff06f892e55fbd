"""Words that try to run a script in the page of whoever reads them: name -> Markdown, in which
`canary(N)` is the script.

They stand in explanations, comments, names and outputs of hand-ins;
`tests/browser/test_formgrader.py` shows them to chromium.
"""

_CODE = "canary(0)"
_JS = f"javascript:{_CODE}"
_ENTITIES = "".join(f"&#{ord(c)};" for c in _JS)
_HEX = "".join(f"&#x{ord(c):x};" for c in _JS)

HTML = {
    "script": f"<script>{_CODE}</script>",
    "script in capitals": f"<ScRiPt>{_CODE}</sCrIpT>",
    "script with a slash": f"<script/x>{_CODE}</script>",
    "script of a page": f"<script src=data:text/javascript,{_CODE}></script>",
    "module": f'<script type="module">{_CODE}</script>',
    "image that fails": f"<img src=x onerror={_CODE}>",
    "image that fails, unclosed": f'<img src="x" onerror="{_CODE}"',
    "image with a line end": f"<img\nsrc=x\nonerror={_CODE}>",
    "image in a block": f"<div>\n\n<img src=x onerror={_CODE}>\n\n</div>",
    "details": f"<details open ontoggle={_CODE}><summary>x</summary></details>",
    "focus": f"<input autofocus onfocus={_CODE}>",
    "select": f"<select autofocus onfocus={_CODE}><option>x</select>",
    "marquee": f"<marquee onstart={_CODE}>x</marquee>",
    "video": f"<video><source onerror={_CODE}></video>",
    "audio": f"<audio src=x onerror={_CODE}></audio>",
    "body": f"<body onload={_CODE}>",
    "style": f"<style onload={_CODE}></style>",
    "style animation": "<style>@keyframes x{}</style><b style='animation-name:x' "
    f"onanimationstart={_CODE}>x</b>",
    "object": f"<object data='{_JS}'></object>",
    "embed": f"<embed src='{_JS}'>",
    "frame": f"<iframe src='{_JS}'></iframe>",
    "frame of a source": f"<iframe srcdoc='<script>parent.{_CODE}</script>'></iframe>",
    "base": f"<base href='{_JS}//'><a href='x'>x</a>",
    "meta": f"<meta http-equiv=refresh content='0;url={_JS}'>",
    "form": f"<form action='{_JS}'><input type=submit id=x></form><label for=x>x</label>",
    "button": f"<button formaction='{_JS}' form=f>x</button><form id=f></form>",
    "comment that ends": f"<!-- --!><img src=x onerror={_CODE}> -->",
    "comment in a comment": f"<!--><script>{_CODE}</script>-->",
    "CDATA": f"<![CDATA[<img src=x onerror={_CODE}>]]>",
    "an instruction": f"<?x ><img src=x onerror={_CODE}>?>",
    "template": f"<template><script>{_CODE}</script></template><img src=x onerror={_CODE}>",
    "title": f"<title><img title='</title><img src=x onerror={_CODE}>'>",
    "noscript": f"<noscript><p title='</noscript><img src=x onerror={_CODE}>'>",
    "textarea": f"</textarea><img src=x onerror={_CODE}>",
    "end of the code": f"</code></pre></div><img src=x onerror={_CODE}>",
    "popover": "<button popovertarget=p id=b>x</button><div id=p popover "
    f"onbeforetoggle={_CODE}>x</div>",
    "dialog": f"<dialog open oncancel={_CODE} onclose={_CODE}><form "
    "method=dialog><button>x</button></form></dialog>",
    "area": f"<map name=m><area href='{_JS}' coords=0,0,99,99></map><img usemap=#m src=x>",
    "source set": f"<picture><source srcset=x><img srcset=x onerror={_CODE} "
    f"onload={_CODE}></picture>",
    "import": f"<link rel=import href='data:text/html,<script>{_CODE}</script>'><link "
    f"rel=stylesheet href=x onerror={_CODE}>",
    "editable": f"<div contenteditable onfocus={_CODE} autofocus tabindex=0 accesskey=x>x</div>",
    "an attribute with a slash": f"<img/src=x/onerror={_CODE}//>",
    "a tag of another script": f"<ſcript>{_CODE}</ſcript><ımg src=x onerror={_CODE}>",
    "xml": f"<x xmlns='http://www.w3.org/1999/xhtml'><script>{_CODE}</script></x>",
}
SVG = {
    "svg": f"<svg onload={_CODE}></svg>",
    "svg with a slash": f"<svg/onload={_CODE}>",
    "svg script": f"<svg><script>{_CODE}</script></svg>",
    "svg link": f"<svg><a xlink:href='{_JS}'><text y=20>x</text></a></svg>",
    "svg animation": f"<svg><animate onbegin={_CODE} attributeName=x dur=1s></svg>",
    "svg set": f"<svg><a><text y=20>x</text><set attributeName=href to='{_JS}'/></a></svg>",
    "svg use": "<svg><use href=\"data:image/svg+xml,<svg id='x' "
    f"xmlns='http://www.w3.org/2000/svg' onload='{_CODE}'/>#x\"/></svg>",
    "svg foreign object": f"<svg><foreignObject><img src=x onerror={_CODE}></foreignObject></svg>",
    "annotation": "<math><annotation-xml encoding='text/html'><img src=x "
    f"onerror={_CODE}></annotation-xml></math>",
    "svg in a title": "<svg><title><img src=x "
    f"onerror={_CODE}></title><desc><script>{_CODE}</script></desc></svg>",
    "math": "<math><mtext><table><mglyph><style><img src=x "
    f"onerror={_CODE}></style></mglyph></table></mtext></math>",
    "math link": f"<math href='{_JS}'><mtext>x</mtext></math>",
    "math action": f"<math><maction actiontype=statusline xlink:href='{_JS}'>x</maction></math>",
}
LINKS = {
    "link": f"[x]({_JS})",
    "link in capitals": f"[x](JaVaScRiPt:{_CODE})",
    "link with blanks": f"[x]( {_JS})",
    "link in angles": f"[x](<{_JS}>)",
    "link with a tab": f"[x](<java\tscript:{_CODE}>)",
    "link with an entity": f"[x](javascript&colon;{_CODE})",
    "link of entities": f"[x]({_ENTITIES})",
    "link of hex entities": f"[x]({_HEX})",
    "link with an entity of a tab": f"[x](java&Tab;script:{_CODE})",
    "link with an entity of a line end": f"[x](java&NewLine;script:{_CODE})",
    "link with a control character": f"[x](\x01{_JS})",
    "link with a mark without width": f"[x](java\u200bscript:{_CODE})",
    "link to data": f"[x](data:text/html,<script>parent.{_CODE}</script>)",
    "link to data in base64": "[x](data:text/html;base64,PHNjcmlwdD5jYW5hcnkoMCk8L3NjcmlwdD4=)",
    "link of VBScript": f"[x](vbscript:{_CODE})",
    "link with a title": f"[x]({_JS} \"' onmouseover={_CODE} x='\")",
    "reference": f"[x][r]\n\n[r]: {_JS}",
    "reference in capitals": f"[x]\n\n[X]: <JAVASCRIPT:{_CODE}>",
    "reference of entities": f"[x][e]\n\n[e]: {_ENTITIES}",
    "autolink": f"<{_JS}>",
    "autolink of entities": f"<javascript&#58;{_CODE}>",
    "autolink with a line": f"<javascript://%0a{_CODE}>",
    "picture": f"![x]({_JS})",
    "picture that breaks out": f'![x](x"onerror="{_CODE})',
    "picture with words that break out": f'![x" onerror="{_CODE}](x)',
    "picture as a reference": f'![x"onerror="{_CODE}"][p]\n\n[p]: x',
    "link in a table": f"| a |\n|---|\n| [x]({_JS}) |",
    "link in a list": f"- [ ] [x]({_JS})\n- [x] <img src=x onerror={_CODE}>",
    "link in a heading": f"# [x]({_JS})\n\n<h1 onclick={_CODE}>x</h1>",
    "HTML link": f"<a href='{_JS}'>x</a>",
    "HTML link of entities": f"<a href='{_ENTITIES}'>x</a>",
    "HTML link with a tab": f"<a href='java&#9;script:{_CODE}'>x</a>",
    "link with a comment": f"[x](java<!-- -->script:{_CODE})",
    "footnote": f"x[^1]\n\n[^1]: <img src=x onerror={_CODE}> [x]({_JS})",
    "wiki link": f"[[x|{_JS}]] <{_JS}|x>",
    "link in a heading with a line": f"[x]({_JS})\n===\n\n<img src=x onerror={_CODE}>\n---",
    "link to a file": "[x](/files/../x.html) ![x](attachment:x)",
}
FENCES = {
    "end of a fence": f"```\n<img src=x onerror={_CODE}>\n```",
    "longer fence": f"`````\n<img src=x onerror={_CODE}>\n`````````\n<script>{_CODE}</script>",
    "tildes": f"~~~\n</code></pre><script>{_CODE}</script>\n~~~",
    "fence of another language": "```html\n"
    f"<script>{_CODE}</script>\n"
    "```\n"
    f"<script>{_CODE}</script>",
    "fence behind a return": f"a\r```\r<script>{_CODE}</script>\r",
    "fence behind a separator": f"a\u2028```\u2028<script>{_CODE}</script>\x0b```\x0c<script>{_CODE}</script>\x85```",
    "code that breaks out": f"`</code><img src=x onerror={_CODE}>`",
    "fence in a list": "1. ```\n"
    "   x\n"
    f"<script>{_CODE}</script>\n"
    "   ```\n"
    f"2. <img src=x onerror={_CODE}>",
    "fence in a quotation": f"> ```\n<img src=x onerror={_CODE}>\n> ```\n<script>{_CODE}</script>",
    "fences of 9,000": "`" * 9_000 + f"\n<script>{_CODE}</script>\n" + "`" * 9_001,
    "fence with words": f"``` <img src=x onerror={_CODE}>\n```\n```{_CODE}```",
    "fence behind signs without width": "\u200b```\n"
    "\ufeff```\n"
    "\u2060~~~\n"
    f"<script>{_CODE}</script>",
    "a tab for blanks": f"\t<script>{_CODE}</script>\n\n<script>{_CODE}</script>",
}
MATHS = {
    "href": rf"$\href{{{_JS}}}{{x}}$",
    "href, displayed": rf"$$\href{{{_JS}}}{{x}}$$",
    "href in brackets": rf"\\(\href{{{_JS}}}{{x}}\\) \(\href{{{_JS}}}{{x}}\)",
    "href in an environment": "\\begin{align}\\href{" + _JS + "}{x}\\end{align}",
    "a macro": rf"$\def\h{{\href}}\h{{{_JS}}}{{x}}$",
    "unicode and require": rf"$\require{{html}}\unicode{{x3c}}script\style{{x}}{{y}}\cssId{{x' onload={_CODE}}}{{y}}$",
    "a box": rf"$\bbox[border:url({_JS})]{{x}} \class{{x' onclick={_CODE}}}{{y}} \mmlToken{{mi}}[href={{{_JS}}}]{{x}}$",
    "a formula in a formula": rf"$$\text{{$\href{{{_JS}}}{{x}}$}}$$ \\[\href{{{_JS}}}{{x}}\\]",
    "a formula that does not end": rf"$\href{{{_JS}}}{{x}} <img src=x onerror={_CODE}> \begin{{equation}} $$ \(",
    "HTML in a formula": f"$<img src=x onerror={_CODE}>$",
    "HTML in a displayed formula": f"$$\n<img src=x onerror={_CODE}>\n$$",
    "HTML in an environment": f"\\begin{{x}}<img src=x onerror={_CODE}>\\end{{x}}",
}
PAYLOADS = {
    f"{kind}-{name}": words.replace(_CODE, f"canary({number})")
    for number, (kind, name, words) in enumerate(
        (kind, name, words)
        for kind, group in (
            ("html", HTML),
            ("svg", SVG),
            ("links", LINKS),
            ("fences", FENCES),
            ("maths", MATHS),
        )
        for name, words in group.items()
    )
}
