"""Names in the styles of many journals and languages, each with the names that a reader sees."""

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rowen
from rowen.citations.names import parse_names
from rowen.papers.people.names import name_of

# A list of names, and after the bar given and family names: `given/family; given/family`.
STYLES = """
Smith, A. | A./Smith
Smith, A | A/Smith
Smith A | A/Smith
Smith A. | A./Smith
A. Smith | A./Smith
A Smith | A/Smith
A.B. Smith | A.B./Smith
A. B. C. Smith | A. B. C./Smith
AB Smith | AB/Smith
Smith AB | AB/Smith
Smith A.B. | A.B./Smith
Smith A. B. | A. B./Smith
Smith, A.B. | A.B./Smith
Smith, A. B. C. D. | A. B. C. D./Smith
Tolkien, J.R.R. | J.R.R./Tolkien
Smith, Anna | Anna/Smith
Smith, Anna A. | Anna A./Smith
Smith, Anna A | Anna A/Smith
Anna A. Smith | Anna A./Smith
Anna Smith | Anna/Smith
Anna Maria Smith | Anna Maria/Smith
Smith, A., Jones, A. | A./Smith; A./Jones
Smith, A., Jones, A., & Brown, A. | A./Smith; A./Jones; A./Brown
Smith A, Jones A, Brown A | A/Smith; A/Jones; A/Brown
Smith A, Jones A and Brown A | A/Smith; A/Jones; A/Brown
A. Smith, A. Jones and A. Brown | A./Smith; A./Jones; A./Brown
A. Smith and A. Jones | A./Smith; A./Jones
A. Smith & A. Jones | A./Smith; A./Jones
A. Smith, & A. Jones | A./Smith; A./Jones
Smith, A. and Jones, A. | A./Smith; A./Jones
Smith, A. & Jones, A. | A./Smith; A./Jones
Smith A. & Jones A. | A./Smith; A./Jones
Smith, A.; Jones, B.; Brown, C. | A./Smith; B./Jones; C./Brown
Smith, Anna; Jones, Bob; Brown, Carl | Anna/Smith; Bob/Jones; Carl/Brown
Smith, Anna Maria; García Márquez, Gabriel José | Anna Maria/Smith; Gabriel José/García Márquez
Smith A; Jones B | A/Smith; B/Jones
A. Smith; B. Jones | A./Smith; B./Jones
Smith, A. / Jones, B. | A./Smith; B./Jones
Smith, A. – Jones, B. | A./Smith; B./Jones
Anna Smith, Bob Jones | Anna/Smith; Bob/Jones
Anna Smith, Bob Jones and Carl Brown | Anna/Smith; Bob/Jones; Carl/Brown
Smith, Anna, Bob Jones, and Carl Brown | Anna/Smith; Bob/Jones; Carl/Brown
Smith, A., B. Jones, and C. Brown | A./Smith; B./Jones; C./Brown
Smith, Anna and Jones, Bob | Anna/Smith; Bob/Jones
López Obrador, A. | A./López Obrador
López Obrador, A | A/López Obrador
López Obrador A | A/López Obrador
López Obrador A. M. | A. M./López Obrador
López Obrador AM | AM/López Obrador
López Obrador, A. M., García Márquez, G. | A. M./López Obrador; G./García Márquez
López Obrador, A. M. y García Márquez, G. | A. M./López Obrador; G./García Márquez
López Obrador, Andrés Manuel | Andrés Manuel/López Obrador
García Márquez, Gabriel | Gabriel/García Márquez
García-Márquez, Gabriel | Gabriel/García-Márquez
Vargas Llosa, M. & Ortega Saavedra, D. | M./Vargas Llosa; D./Ortega Saavedra
Ford Versypt, A. N. | A. N./Ford Versypt
Lloyd George, D. | D./Lloyd George
Ortega y Gasset, J. | J./Ortega y Gasset
Ortega y Gasset J | J/Ortega y Gasset
José Ortega y Gasset | José/Ortega y Gasset
Santiago Ramón y Cajal | Santiago/Ramón y Cajal
Ramón y Cajal, S. | S./Ramón y Cajal
Puig i Cadafalch, J. | J./Puig i Cadafalch
Castro e Silva, L. | L./Castro e Silva
Pérez, A. y Gómez, B. | A./Pérez; B./Gómez
Pérez, A., Gómez, B. y Ruiz, C. | A./Pérez; B./Gómez; C./Ruiz
A. Pérez y B. Gómez | A./Pérez; B./Gómez
Ana Pérez y Blas Gómez | Ana/Pérez; Blas/Gómez
Silva, A. e Costa, B. | A./Silva; B./Costa
Rossi M. e Bianchi G. | M./Rossi; G./Bianchi
Kowalski, J. i Nowak, A. | J./Kowalski; A./Nowak
Novák, J. a Svoboda, K. | J./Novák; K./Svoboda
Müller, A. und Schmidt, B. | A./Müller; B./Schmidt
Müller, A., Schmidt, B. u. Weber, C. | A./Müller; B./Schmidt; C./Weber
A. Müller und B. Schmidt | A./Müller; B./Schmidt
Dupont, A. et Durand, B. | A./Dupont; B./Durand
A. Dupont et B. Durand | A./Dupont; B./Durand
Svensson, A. och Nilsson, B. | A./Svensson; B./Nilsson
Hansen, A. og Olsen, B. | A./Hansen; B./Olsen
Jansen, A. en Visser, B. | A./Jansen; B./Visser
Wang Y and Li E | Y/Wang; E/Li
Wang Y, Li E and Zhao I | Y/Wang; E/Li; I/Zhao
Wang, Y. and Li, E. | Y./Wang; E./Li
Smith E and Doe Y | E/Smith; Y/Doe
Wang En and Li Bo | En/Wang; Bo/Li
He Kaiming, Ren Shaoqing, Sun Jian | Kaiming/He; Shaoqing/Ren; Jian/Sun
Wei Zhang, Xiao-Ming Li | Wei/Zhang; Xiao-Ming/Li
LE GOFF Jacques, DUPONT Marie | Jacques/LE GOFF; Marie/DUPONT
Juan Carlos Rodríguez Pérez y Ana Muñoz Molina | Juan Carlos/Rodríguez Pérez; Ana/Muñoz Molina
G. García Márquez | G./García Márquez
محمد عابد الجابري، خالد حسن | محمد عابد/الجابري; خالد/حسن
von Neumann, J. | J./von Neumann
von Neumann J | J/von Neumann
J. von Neumann | J./von Neumann
John von Neumann | John/von Neumann
Von Neumann, John | John/Von Neumann
van der Berg, K. | K./van der Berg
van der Berg K, de Vries J | K/van der Berg; J/de Vries
K. van der Berg and J. de Vries | K./van der Berg; J./de Vries
Ludwig van Beethoven | Ludwig/van Beethoven
Beethoven, L. van | L./van Beethoven
Berg, K. van der | K./van der Berg
de la Cruz, M. A. | M. A./de la Cruz
M. A. de la Cruz | M. A./de la Cruz
Juana Inés de la Cruz | Juana Inés/de la Cruz
dos Santos, A. C. | A. C./dos Santos
A. C. dos Santos | A. C./dos Santos
da Silva A | A/da Silva
De Souza, A. | A./De Souza
Di Stefano, A. | A./Di Stefano
al-Khwarizmi, M. | M./al-Khwarizmi
M. ibn Musa | M./ibn Musa
't Hooft, G. | G./'t Hooft
G. 't Hooft | G./'t Hooft
D'Angelo, A. | A./D'Angelo
A. D'Angelo | A./D'Angelo
O'Neil, A. | A./O'Neil
O’Neil A, O'Brien B | A/O’Neil; B/O'Brien
M'Bow, A. | A./M'Bow
McDonald, A. | A./McDonald
MacArthur A | A/MacArthur
Saint-Exupéry, A. de | A./de Saint-Exupéry
Garcia-Lopez, A.-M. | A.-M./Garcia-Lopez
A.-M. Garcia-Lopez | A.-M./Garcia-Lopez
Sartre, J.-P. | J.-P./Sartre
J.-P. Sartre | J.-P./Sartre
Sartre J-P | J-P/Sartre
Jean-Paul Sartre | Jean-Paul/Sartre
Sartre, Jean-Paul | Jean-Paul/Sartre
Lévi-Strauss, C. | C./Lévi-Strauss
Šťastný, Č. | Č./Šťastný
Østergaard Å | Å/Østergaard
Ångström, A. | A./Ångström
Иванов, А. | А./Иванов
А. Иванов | А./Иванов
Иванов А, Петров Б | А/Иванов; Б/Петров
Παπαδόπουλος, Α. | Α./Παπαδόπουλος
Ivanov, Yu. A. | Yu. A./Ivanov
Ivanov Yu. A. | Yu. A./Ivanov
Yu. A. Ivanov | Yu. A./Ivanov
Zhdanov, Zh. | Zh./Zhdanov
Smith, J. R., Jr. | J. R./Smith
Smith, J. R., Jr., & Doe, A. | J. R./Smith; A./Doe
Smith, A., III, & Doe, B. | A./Smith; B./Doe
Smith JR Jr | JR/Smith
Smith AR III, Doe B | AR/Smith; B/Doe
Smith Jr., A. | A./Smith
De Souza Jr., P.A., Roe, A. | P.A./De Souza; A./Roe
A. Smith Jr. | A./Smith
A. Smith III and B. Jones | A./Smith; B./Jones
Anna Smith, PhD | Anna/Smith
Adams MD, Finch MD | MD/Adams; MD/Finch
Grigoriev IV, Li JW-H | IV/Grigoriev; JW-H/Li
St. Ville, S.; Berry, P. | S./St. Ville; P./Berry
St. Ville, S., Berry, P. | S./St. Ville; P./Berry
Jeff. Smith, Alan. Jones, and Viral B. Brown | Jeff./Smith; Alan./Jones; Viral B./Brown
A. LeRoy Westerling | A. LeRoy/Westerling
Xu Jun, Chen Wei | Jun/Xu; Wei/Chen
SMITH, A. | A./SMITH
SMITH, A., LEE, K. AND WU, X. | A./SMITH; K./LEE; X./WU
SMITH A, LEE K | A/SMITH; K/LEE
A. SMITH ET B. LEE | A./SMITH; B./LEE
A. SMITH, B. LEE & C. WU | A./SMITH; B./LEE; C./WU
SMITH ET and DOE K | ET/SMITH; K/DOE
LÓPEZ OBRADOR, A. | A./LÓPEZ OBRADOR
SMITH, A., ET AL. | A./SMITH
ROUSSILLON, René. CHABERT, Catherine. | René/ROUSSILLON; Catherine/CHABERT
Plato | /Plato
Aristotle; Plato | /Aristotle; /Plato
Madonna and Cher | /Madonna; /Cher
张伟 | /张伟
张伟, 李娜, 王芳 | /张伟; /李娜; /王芳
张伟、李娜 | /张伟; /李娜
张伟; 李娜; 等 | /张伟; /李娜
张伟, 李娜, 等. | /张伟; /李娜
山田太郎, 鈴木一郎, 他 | /山田太郎; /鈴木一郎
山田 太郎 | 太郎/山田
김철수, 이영희 | /김철수; /이영희
Wang, Wei | Wei/Wang
Wang W, Li N, Zhang M | W/Wang; N/Li; M/Zhang
Kim, Y.-H., Park, S. | Y.-H./Kim; S./Park
In, K., Park, S. | K./In; S./Park
In Soo Kim | In Soo/Kim
Gore, Al | Al/Gore
Al Gore | Al/Gore
Ed Smith | Ed/Smith
ATLAS Collaboration | /ATLAS Collaboration
The ATLAS Collaboration | /The ATLAS Collaboration
Aad, G., et al. (ATLAS Collaboration) | G./Aad; /ATLAS Collaboration
G. Aad and the ATLAS Collaboration | G./Aad; /the ATLAS Collaboration
Smith A, Doe B; ABC Study Group | A/Smith; B/Doe; /ABC Study Group
World Health Organization | /World Health Organization
Food and Drug Administration | /Food and Drug Administration
R Development Core Team | /R Development Core Team
Smith, A. et al. | A./Smith
Smith, A., et al | A./Smith
Smith A et al. | A/Smith
A. Smith et al. | A./Smith
Smith et al. | /Smith
Smith, A. and others | A./Smith
Smith, A. and colleagues | A./Smith
Smith, A. & al. | A./Smith
Müller, A. u. a. | A./Müller
Müller, A. u.a. | A./Müller
Müller, A., et al. | A./Müller
Müller, A. und andere | A./Müller
Müller U. A. | U. A./Müller
Dupont, A. et coll. | A./Dupont
Pérez, A. y cols. | A./Pérez
Pérez, A. y otros | A./Pérez
Silva, A. e col. | A./Silva
Rossi, A. e altri | A./Rossi
Svensson, A. m. fl. | A./Svensson
Nowak, A. i in. | A./Nowak
Novák, A. a kol. | A./Novák
Yılmaz, A. ve ark. | A./Yılmaz
Иванов, А. и др. | А./Иванов
Jansen, A., e.a. | A./Jansen
Kefi (N.) | N./Kefi
Bonhomme (Fl.), Guillin (S.) | Fl./Bonhomme; S./Guillin
Smith, A. (Ed.) | A./Smith
Smith, A. & Doe, B. (Eds.) | A./Smith; B./Doe
A. Smith (ed.) | A./Smith
A. Smith and B. Doe, editors | A./Smith; B./Doe
Müller, A. (Hrsg.) | A./Müller
In A. Smith & B. Doe (Eds.) | A./Smith; B./Doe
edited by A. Smith | A./Smith
hrsg. von A. Müller | A./Müller
"""
CASES = [tuple(map(str.strip, line.split("|"))) for line in STYLES.strip().splitlines()]

FAMILIES = [
    "Smith", "O'Neil", "D’Angelo", "van der Berg", "von Neumann", "de la Cruz", "Müller",
    "Garcia-Lopez", "López Obrador", "García Márquez", "Šťastný", "Li", "Иванов", "McDonald",
]  # fmt: skip
LETTERS = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZÅÉŠИ")
DOTTED = st.lists(LETTERS, min_size=1, max_size=3).map(
    lambda letters: " ".join(f"{letter}." for letter in letters)
)
PEOPLE = st.lists(st.tuples(st.sampled_from(FAMILIES), DOTTED), min_size=1, max_size=6)


def bare(given):
    return given.translate({46: None, 32: None})


STYLE = {
    "Smith, J. R.": (lambda family, given: f"{family}, {given}", ", ", lambda given: given),
    "J. R. Smith": (lambda family, given: f"{given} {family}", ", ", lambda given: given),
    "Smith JR": (lambda family, given: f"{family} {bare(given)}", ", ", bare),
    "Smith J. R.": (lambda family, given: f"{family} {given}", ", ", lambda given: given),
    "Smith, J. R.;": (lambda family, given: f"{family}, {given}", "; ", lambda given: given),
}
LAST = [", ", " and ", ", and ", " & ", ", & ", " und ", " et ", " y ", " och "]
OTHERS = ["", " et al.", ", et al.", " and others", " u. a.", " y cols.", " и др.", ", et al"]


def shown(names):
    return "; ".join(f"{name.given}/{name.family}" for name in names)


@pytest.mark.parametrize(("text", "names"), CASES)
def test_a_list_gives_the_names_that_a_reader_sees(text, names):
    assert shown(parse_names(text)) == names


def test_the_table_is_large_and_without_repetition():
    assert len({text for text, _ in CASES}) == len(CASES) >= 150


@given(PEOPLE, st.sampled_from(sorted(STYLE)), st.sampled_from(LAST), st.sampled_from(OTHERS))
def test_every_initial_of_every_style_stays(people, style, last, others):
    written, between, read = STYLE[style]
    # Behind initials nothing shows that two family names belong together.
    assume(style != "J. R. Smith" or not {"López Obrador", "García Márquez"} & set(dict(people)))
    names = [written(family, given) for family, given in people]
    text = between.join(names[:-1]) + (last if len(names) > 1 else "") + names[-1] + others
    expected = "; ".join(f"{read(given)}/{family}" for family, given in people)
    assert shown(parse_names(text)) == expected


@given(st.text(st.sampled_from("ABYabyé .,;&-()’1张"), max_size=60))
def test_names_have_no_letters_that_the_text_lacks(text):
    names = parse_names(text)
    assert sum(len(name.given) + len(name.family) for name in names) <= len(text) + len(names)
    letters = Counter(
        letter for name in names for letter in name.given + name.family if letter.isalpha()
    )
    assert letters <= Counter(letter for letter in text if letter.isalpha())


REFERENCES = """
Smith, A. (2020). On the habits of cats. Journal of Cats, 3(1), 1-2. | A./Smith
López Obrador, A. (2019). On the habits of cats. Journal of Cats, 3(1), 1-2. | A./López Obrador
Smith, J. and Doe, M. 2020. On the habits of cats. Journal of Cats 3, 1-2. | J./Smith; M./Doe
Smith, J., & Doe, M. (2020). On the habits of cats. Journal of Cats, 3, 1-2. | J./Smith; M./Doe
Smith, J. A. On the habits of cats. Journal of Cats 3, 1-2 (2020). | J. A./Smith
Smith A. On the habits of cats. J Cats. 2020;3:1-2. | A/Smith
Smith JA, Doe A. On the habits of cats. J Cats. 2020;3:1-2. | JA/Smith; A/Doe
A. Smith and B. Doe. On the habits of cats. Journal of Cats, 3:1-2, 2020. | A./Smith; B./Doe
Ó Súilleabháin, É. (2002). On the habits of cats. Journal of Cats, 3, 1-2. | É./Ó Súilleabháin
E, W. (2012). On the habits of cats. Journal of Cats, 3, 1-2. | W./E
Jose\u0301, E\u0301. (2012). On the habits of cats. Journal of Cats, 3, 1-2. | E\u0301./Jose\u0301
"""


@pytest.mark.parametrize(
    ("raw", "names"),
    [tuple(map(str.strip, line.split("|"))) for line in REFERENCES.strip().splitlines()],
)
def test_the_last_initial_of_a_reference_keeps_the_dot_that_is_its_own(raw, names):
    [citation] = rowen.parse_citations([raw])
    assert shown(citation.authors) == names


@pytest.mark.parametrize(
    ("text", "given_name", "family"),
    [
        ("Anna A. Smith", "Anna A.", "Smith"),
        ("Smith, A.", "A.", "Smith"),
        ("Smith A.", "A.", "Smith"),
        ("López Obrador, A.", "A.", "López Obrador"),
        ("ANNA A. SMITH", "Anna A.", "Smith"),
        ("JOHN SMITH III", "John", "Smith"),
        ("John SMITH III", "John", "Smith"),
        ("Juana DE LA CRUZ", "Juana", "de la Cruz"),
        ("MARÍA O'NEIL", "María", "O'Neil"),
        ("John von Neumann", "John", "von Neumann"),
    ],
)
def test_a_name_of_a_header_is_whole(text, given_name, family):
    name = name_of(text)
    assert name is not None
    assert (name.given, name.family) == (given_name, family)
