-- The filters of the audit log. Each index has the sequence as its last column.

CREATE INDEX audit_by_actor ON audit (actor);
CREATE INDEX audit_by_action ON audit (action);
CREATE INDEX audit_by_target ON audit (target);
CREATE INDEX audit_by_time ON audit (at);
