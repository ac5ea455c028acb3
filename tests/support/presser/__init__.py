"""Presses what pages hold, as a browser without a script does, and says what is wrong then.

    account = Account(sandbox)                        # the service's rows, field by field
    browser = Browser(user)
    shown = browser.open(url, Way.WHOLE)              # a page, its forms and what they would send
    answer = browser.send(shown.form_to(url))

Values come from the page alone; a test that types something names the controls that it types into.
"""
