"""Jobs of dashboards."""
