"""Saved pages look as they did: with their own style sheets and images, from local files."""

import json
from pathlib import Path

import pytest
from captures import save
from playwright.sync_api import expect

from rowen.model import Page
from rowen.sources import open_pages
from rowen.studio.filling import fill_project
from rowen.studio.projects import Projects
from rowen.views.files import Files
from rowen.views.view import view_of

SITES = [
    "cards",
    "events",
    "forum",
    "homes",
    "jobs",
    "librairie",
    "museum",
    "news",
    "outfitter",
    "recipe",
]
LOOK = """() => {
  const page = document.querySelector('#page iframe').contentDocument;
  const style = (name) => getComputedStyle(page.querySelector(name));
  const images = [...page.querySelectorAll('img')];
  return {
    heading: style('h1').color,
    link: style('a').color,
    ground: style('body').backgroundColor,
    picture: style('body').backgroundImage.slice(0, 20),
    loaded: images.filter((image) => image.naturalWidth > 0).length,
    broken: images.filter((image) => image.complete && !image.naturalWidth).length,
  };
}"""
STYLED = {"heading": "rgb(1, 90, 60)", "ground": "rgb(246, 241, 231)"}


@pytest.fixture(scope="session")
def saved(chromium):
    return save(chromium, "jobs")[0]


def forms(saved, folder):
    """The same page in all forms that the studio opens, by the name of the form."""
    mhtml = folder / "jobs.mhtml"
    mhtml.write_bytes(saved.mhtml)
    return {
        "complete": saved.complete(folder / "complete").parent,
        "mhtml": mhtml,
        "single": saved.single(folder / "single.html"),
        "warc": saved.archive(folder / "jobs.warc"),
    }


@pytest.mark.parametrize("site", SITES)
def test_ten_modern_pages_have_their_styles_and_images(server, open_window, chromium, site):
    capture, _ = save(chromium, site)
    project = f"modern {site}"
    server.client.post("/studio/api/projects", json={"name": project})
    answer = server.client.post(
        f"/studio/api/projects/{project}/pages",
        params={"page": f"{site}.mhtml"},
        content=capture.mhtml,
    )
    assert answer.json()["all_added"] == [f"{site}.html"]
    desk = open_window(server.url)
    desk.open(f"{project}/{site}.html")
    desk.at(f"{site}.html")
    desk.window.wait_for_function(f"() => ({LOOK})().loaded > 0")
    look = desk.window.evaluate(LOOK)
    assert look["ground"] in (STYLED["ground"], "rgb(255, 255, 255)")  # of the site or its own
    assert look["heading"] == STYLED["heading"]
    assert look["broken"] == 0


@pytest.mark.parametrize("form", ["complete", "mhtml", "single", "warc"])
def test_each_form_of_a_saved_page_is_shown_with_its_files(
    tmp_path, server, open_window, saved, form
):
    path = forms(saved, tmp_path)[form]
    name = f"{form} form"
    server.client.post("/studio/api/projects", json={"name": name})
    desk = open_window(server.url)
    desk.open(name)
    if path.is_dir():
        desk.window.set_input_files("#folder", str(path))
    else:
        desk.window.set_input_files("#files", str(path))
    expect(desk.window.locator(".page-name")).to_have_count(1)
    desk.window.wait_for_selector("#page[aria-busy=false]")
    desk.window.wait_for_function(f"() => ({LOOK})().picture.startsWith('url(\"data:image')")
    look = desk.window.evaluate(LOOK)
    assert look | STYLED == look
    assert look["loaded"] == 1
    assert look["link"] == "rgb(150, 20, 90)"  # the style sheet that the style sheet imports


@pytest.mark.parametrize("form", ["complete", "mhtml", "single", "warc"])
def test_the_command_opens_each_form_with_its_files(tmp_path, saved, form):
    path = forms(saved, tmp_path)[form]
    errors = []
    fill_project(tmp_path / "studio", "shop", [str(path)], on_error=errors.append)
    projects = Projects(tmp_path / "studio")
    project = projects.get("shop")
    (page,) = project.state.pages
    attached = project.kept.attached(page)
    files = Files(
        attached.digests, lambda url: project.kept.content(attached.digests[url]), attached.base
    )
    view = view_of(project.page(page), files)
    text = project.page(page).text
    projects.close()
    assert errors == []
    assert len(view["files"]) == 4  # two of the style sheet, a font and the logo
    assert any("rgb(150, 20, 90)" in style["css"] for style in view["styles"])
    assert [style["media"] for style in view["styles"]].count("print") == 1
    if form in ("mhtml", "warc"):
        assert text == saved.html


def test_a_dropped_folder_brings_its_files(tmp_path, desk, saved):
    folder = saved.complete(tmp_path / "shop").parent
    desk.open()
    desk.drop(folder, on="#welcome")
    desk.at("jobs.html")
    desk.window.wait_for_function(f"() => ({LOOK})().loaded === 1")
    assert desk.window.evaluate(LOOK)["heading"] == STYLED["heading"]


def test_a_mhtml_file_is_the_page_in_it_for_every_command(tmp_path, saved):
    path = tmp_path / "jobs.mhtml"
    path.write_bytes(saved.mhtml)
    (page,) = open_pages([str(path)])
    assert page.text == saved.html


def test_pages_without_a_page_in_them_are_refused_in_one_line(server):
    server.client.post("/studio/api/projects", json={"name": "empty captures"})
    contents = {
        "a.mhtml": b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b--",
        "a.warc": b"WARC/1.0\r\n\r\n",
        "a.warc.gz": b"\x1f\x8b broken",
    }
    for name, content in contents.items():
        answer = server.client.post(
            "/studio/api/projects/empty captures/pages", params={"page": name}, content=content
        )
        assert answer.status_code == 415
        assert answer.json()["detail"].startswith(f"{name}: has no page")


def view(text, files=None, base=""):
    contents = files or {}
    return view_of(Page(text, id="page"), Files(contents, contents.__getitem__, base))


def test_the_attributes_of_the_root_are_kept():
    shown = view('<html dir=rtl lang=he class="a" onload=x data-theme=dark><body>שלום')
    assert shown["root"] == {"dir": "rtl", "lang": "he", "class": "a", "data-theme": "dark"}


def test_addresses_are_relative_to_the_base_of_the_page():
    shown = view(
        "<base href='https://e.org/b/'><link rel=stylesheet href=a.css><img src=../c.png>",
        base="https://e.org/x/y.html",
    )
    assert shown["wanted"] == ["https://e.org/b/a.css", "https://e.org/c.png"]


def test_style_sheets_that_import_each_other_are_read_once():
    files = {"a.css": b"@import 'b.css'; a{b:c}", "b.css": b"@import 'a.css'; d{e:f}"}
    shown = view("<link rel=stylesheet href=a.css>", files)
    assert [style["css"].strip() for style in shown["styles"]] == ["d{e:f}", "a{b:c}"]


def test_a_frameset_lists_its_frames():
    shown = view("<frameset cols='20%,*'><frame src=menu.html><frame src=content.html></frameset>")
    assert shown["frames"] == ["menu.html", "content.html"]
    assert [node[1] for node in shown["tree"][2:]] == [
        {"data-rowen-frame": "menu.html"},
        {"data-rowen-frame": "content.html"},
    ]


def test_a_frame_is_opened_by_a_click(tmp_path, desk):
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "index.html").write_text("<frameset><frame src=menu.html><frame src=gone.html>")
    (folder / "menu.html").write_text("<p>Menu of old times")
    desk.open()
    desk.window.set_input_files("#folder", str(folder))
    desk.at("index.html")
    frame = desk.window.frame_locator("#page iframe")
    frame.locator("[data-rowen-frame='gone.html']").click()
    desk.message("add its file")
    frame.locator("[data-rowen-frame='menu.html']").click()
    desk.at("menu.html")


MENU = "<nav><ul>" + "".join(f"<li><a href=/{n}>Part {n}</a>" for n in range(9)) + "</ul></nav>"


def test_menus_are_folded_only_on_pages_without_style_sheets():
    plain = json.dumps(view(f"{MENU}<p>Text")["tree"])
    styled = json.dumps(view(f"<style>{'p{color:red}' * 50}</style>{MENU}<p>Text")["tree"])
    assert "(9 links)" in plain
    assert "(9 links)" not in styled


SHEETS = ("<link rel=stylesheet href=a.css>", "<style>@import 'a.css';</style>")
DETAILS = f"<style>{'p{color:red}' * 50}</style>"


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_page_without_its_style_sheets_is_plain_whatever_details_it_styles(sheet):
    lacking = view(sheet + DETAILS)
    assert (lacking["plain"], lacking["loose"]) == (True, True)
    whole = view(sheet + DETAILS, {"a.css": b"p{color:blue}"})
    assert (whole["plain"], whole["loose"]) == (False, False)
    assert view("<p style='height:1px'>as its author wanted it")["loose"] is False


def test_a_style_sheet_for_paper_is_not_missed():
    assert view("<link rel=stylesheet href=a.css media=print>" + DETAILS)["plain"] is False


def test_what_is_left_of_styles_puts_no_text_over_another(viewer):
    boxes = (
        "<div style='height:5px'><p>first</div><p>second</p>"
        "<p style='position:absolute;top:0'>third</p>"
        "<p style='margin:0;transform:translateY(-9em)'>fourth</p>"
        "<p style='float:right;width:9px'>fifth</p><p>sixth</p>"
    )
    viewer.show(f"<link rel=stylesheet href=a.css>{boxes}")
    tops = viewer.run(
        "[...frame.contentDocument.querySelectorAll('p')]"
        ".map((one) => one.getBoundingClientRect()).flatMap(({ top, bottom }) => [top, bottom])"
    )
    assert tops == sorted(tops)


def test_a_folded_menu_opens_by_a_click_and_for_what_is_found_in_it(tmp_path, desk):
    page = tmp_path / "menu.html"
    page.write_text(f"{MENU}<p>The text of the page")
    desk.open()
    desk.add(page)
    desk.at("menu.html")
    frame = desk.window.frame_locator("#page iframe")
    expect(frame.locator("li").first).to_be_hidden()
    frame.locator("nav").click(position={"x": 30, "y": 10})
    expect(frame.locator("li").first).to_be_visible()
    frame.locator("nav").click(position={"x": 6, "y": 10})
    expect(frame.locator("li").first).to_be_hidden()
    desk.press("/")
    desk.window.keyboard.type("Part 7")
    expect(frame.locator("li").first).to_be_visible()


def test_files_of_other_folders_are_not_read(tmp_path):
    secret = tmp_path / "secret.css"
    secret.write_text("a{color:red}")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "link.css").symlink_to(secret)
    (folder / "a.html").write_text(
        "<link rel=stylesheet href=../secret.css><link rel=stylesheet href=link.css>"
        f"<link rel=stylesheet href=file://{secret}><link rel=stylesheet href='a%00.css'><p>Text"
    )
    fill_project(tmp_path / "studio", "shop", [str(folder)], on_error=print)
    assert not list(Path(tmp_path / "studio" / "shop").glob("files/content/*"))
