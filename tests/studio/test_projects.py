import pytest

from rowen.model.errors import DocumentError, StoreError, UsageError
from rowen.studio.project import Project
from rowen.studio.projects import Projects


@pytest.fixture
def projects(tmp_path):
    opened = Projects(tmp_path / "studio")
    yield opened
    opened.close()


def test_projects_are_made_listed_and_deleted(projects):
    assert projects.names() == []
    projects.create("shop")
    projects.create("Bücher 2")
    assert projects.names() == ["Bücher 2", "shop"]
    assert projects.get("shop") is projects.get("shop")
    assert projects.delete("shop")
    assert not projects.delete("shop")
    assert projects.names() == ["Bücher 2"]


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".x", "a/b", "../up", " a", "a ", "a\0", "x" * 101, "a\n"]
)
def test_names_that_are_no_folders_are_refused(projects, name):
    with pytest.raises(UsageError):
        projects.create(name)
    assert projects.get(name) is None


def test_a_name_is_taken_once(projects):
    projects.create("shop")
    with pytest.raises(UsageError, match="exists already"):
        projects.create("shop")


def test_a_project_is_open_in_one_studio(projects, tmp_path):
    projects.create("shop")
    with pytest.raises(StoreError, match="open in another studio"):
        Projects(tmp_path / "studio").get("shop")


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("page.html", "page.html"),
        ("../../etc/passwd", "passwd.html"),
        ("C:\\pages\\a b.htm", "a-b.htm"),
        ("", "page.html"),
        ("...", "page.html"),
        ("https://shop.example/?id=3&x", "id=3-x.html"),
        ("x" * 500 + ".html", "x" * 150 + ".html"),
        ("Ünï.html", "Ünï.html"),
    ],
)
def test_a_page_is_kept_under_a_name_for_a_file(tmp_path, name, page):
    project = Project(tmp_path / "p")
    assert project.add_page(name, b"<p>text</p>") == page
    assert project.page(page).text == "<p>text</p>"
    project.close()


def test_pages_of_one_name_are_distinguished_and_never_overwritten(tmp_path):
    project = Project(tmp_path / "p")
    assert project.add_page("a.html", b"<p>one</p>") == "a.html"
    assert project.add_page("a.html", b"<p>two</p>") == "a-2.html"
    project.undo(revision=project.revision)
    assert project.add_page("a.html", b"<p>three</p>") == "a-3.html"
    assert [project.page(name).text for name in project.state.pages] == [
        "<p>one</p>",
        "<p>three</p>",
    ]
    project.close()


@pytest.mark.parametrize(
    "content", [b"%PDF-1.7 ...", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"a\0b" * 99]
)
def test_what_is_no_text_is_no_page(tmp_path, content):
    project = Project(tmp_path / "p")
    with pytest.raises(DocumentError):
        project.add_page("a.html", content)
    assert project.state.pages == ()
    assert list((tmp_path / "p" / "pages").iterdir()) == []
    project.close()
