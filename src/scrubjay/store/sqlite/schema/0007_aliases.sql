-- Front matter may name a document by other names (`aliases`), by which links lead to it.
-- When they change, its names are read again.
CREATE TRIGGER documents_alias AFTER UPDATE OF metadata ON documents
WHEN json_extract(old.metadata, '$.aliases') IS NOT json_extract(new.metadata, '$.aliases') BEGIN
    INSERT INTO unread_documents VALUES (new.number) ON CONFLICT DO NOTHING;
END;
INSERT INTO unread_documents
SELECT number FROM documents WHERE json_extract(metadata, '$.aliases') IS NOT NULL ON CONFLICT DO NOTHING;
