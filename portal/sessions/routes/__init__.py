"""The URLs that meetings and webinars share. Each domain includes them with its `spec`."""
