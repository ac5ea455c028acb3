"""What people do with requests for approval, and what comes of them."""
