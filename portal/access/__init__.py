"""Access to the portal: sign-in, roles, connections and the audit trail."""
