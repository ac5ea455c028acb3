"""The account of the sandbox, and the features of its plan."""

from portal.contract.users import LicenceType

ACCOUNT_ID = "Kx3bTq0SRZ2cWm5pYh8vNA"

LARGEST_LARGE_MEETING = 300
LARGEST_WEBINAR = 1000
MEETING_CAPACITY: dict[int, int] = {
    LicenceType.BASIC: 100,
    LicenceType.PRO: 300,
    LicenceType.CORP: 500,
}
