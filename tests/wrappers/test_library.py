"""The ready recognizers on what is hard to tell: true instances, and what only looks like one."""

import pytest

from rowen.wrappers.recognizing.library import ready, ready_names

TRUE = {
    "date": "2020-01-05|05.01.2020|5-Jan-2020|05-JAN-2020|Jan. 5, 2020|January 5th, 2020|"
    "2020/01/05|5th of May 2020|Monday, 5 May 2020|3 march 2019|May 2020|5. Januar 2020|"
    "20 février 2019|12 May '19|Fri Jan 5 2020|5 de mayo 2020",
    "time": "10:30|10:30 pm|9:15:07|8am|10.30 pm|23:59|5 p.m.",
    "price": "$1,200.50|US$ 5.00|€ 9,99|5 €|EUR 12.50|£1.5m|1.234,56 €|CHF 1'200.00|R$ 10,00|A$15|"
    "Rs. 500|₹1,00,000|100 kr|99¢|10 zł|USD12.00|$.99|$1234567.89|10 000 €|¥1,000",
    "phone": "(206) 555-1234|206.555.1234|+44 20 7946 0958|+49 (0)30 123456|1-800-555-0199|"
    "555-1234|+33 1 23 45 67 89|01 23 45 67 89|+91 98765 43210|+12065551234|206 555 1234 ext. 12|"
    "206/555-1234",
    "email": "a.b@c.org|a+b@c-d.co.uk|o'brien@x.org|a1@sub.domain.example.com",
    "url": "http://y.org/z|https://a.b/c?d=e&f=g#h|www.x.org/a|http://x.org/a_(b)|HTTP://X.ORG/a|"
    "https://x.org/a,b",
    "isbn": "0-306-40615-2|978-0-306-40615-7|080442957X|9780306406157|978 0 306 40615 7",
    "doi": "10.1038/nature12373|10.1000/182|10.1016/S0140-6736(05)67813-0|10.1000/a(b)",
    "ip": "192.168.0.1|255.255.255.255|2001:db8::1|::1|fe80:0:0:0:1:2:3:4",
    "state": "WA|New York|West Virginia|District of Columbia",
    "zip": "98195-1234|10001|00501",
    "number": "1,234.5|-7|0.5|.5|1e5|1.234,5|1,00,000|\u22127",
    "year": "1999|2024|1850",
    "person": "Dr. Zoltan Kovacs|Mary J. van der Berg|J. K. Rowling|Mary-Jane Watson|Mr. Smith|"
    "Anna O'Brien|Juan Carlos García|John Smith, Jr",
}
FALSE = {
    "date": "1.2.3.4|12020-01-05|99/99/2020|2020-13-01|1/2 cup|10.1038/12|May I|192.168.0.1",
    "time": "25:00|1:99|16:9 ratio|Matthew 5:3|1:2:3:4",
    "price": "12 apples|$x|section 5|5 EUROPE",
    "phone": "2020-01-05|05.01.2020|978-0-306-40615-7|192.168.0.1|1234 5678 9012 3456|1990-1995|"
    "98195-1234|100 000 000|978-0345511768|2025-07-11 08:00|2019 2020|1.234.567|12-34",
    "email": "@handle|This%20on%20@x.org|a@b|a@.com|x@y..com",
    "url": "x.org|http://|a.b.c",
    "isbn": "978-0-306-40615-8|0306406153|1234567890123|0000000000",
    "doi": "10.5/2|10.1038|110.1038/x|10.1038/",
    "ip": "999.1.1.1|1.2.3.4.5|256.1.1.1|01.02.03.04|10:30:15|1::2::3",
    "state": "SWAT|ORGANIC|Washingtonian|Indianapolis",
    "zip": "123456|$10001|10001.50|12345-678",
    "number": "a1|1a|1.2.3|v2",
    "year": "3024|20199|1234|2019.5|$2000|2019-01-05",
    "person": "Virginia Beach|Rose Garden|Mark Your Calendar|Grace Period|Victoria Station|"
    "St. Louis|U.S. Citizenship|Christian Book Store",
}


def cases(listed):
    return [(name, one) for name, instances in listed.items() for one in instances.split("|")]


def test_each_ready_recognizer_has_hard_cases():
    assert set(TRUE) == set(FALSE) == set(ready_names())


@pytest.mark.parametrize(("name", "instance"), cases(TRUE))
def test_what_is_one_is_found_whole(name, instance):
    for text in (instance, f"<b>{instance}</b>", f"see: {instance} ; then", f"({instance})"):
        assert [span.of(text) for span in ready(name).find(text)] == [instance]


@pytest.mark.parametrize(("name", "instance"), cases(FALSE))
def test_what_only_looks_like_one_is_not(name, instance):
    for text in (instance, f"<b>{instance}</b>", f"see: {instance} ; then"):
        assert ready(name).find(text) == []


def test_years_of_a_range_are_found_and_those_of_dates_are_not():
    text = "1999-2001, but 2019-01-05"
    assert [span.of(text) for span in ready("year").find(text)] == ["1999", "2001"]


def test_a_date_before_a_time_is_one():
    text = "<time>2020-01-05T10:00</time>"
    assert [span.of(text) for span in ready("date").find(text)] == ["2020-01-05"]
