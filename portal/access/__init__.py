"""Who may do what: sign-in, roles, connections and the audit trail."""
