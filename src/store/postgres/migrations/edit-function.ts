/** A part of a function's text, and what replaces it. */
export type FunctionEdit = readonly [before: string, after: string];

/**
 * The statement that changes parts of a function that an earlier migration has created. It fails where a part is not found once, so that
 * no edit is lost.
 */
export const editFunction = (name: string, edits: readonly FunctionEdit[]): string => `
    DO $edit$
    DECLARE
      body text := pg_get_functiondef('${name}'::regproc);
    BEGIN
${edits.map(([before, after]) => stepOf(name, before, after)).join('\n')}
      EXECUTE body;
    END
    $edit$`;

const stepOf = (name: string, before: string, after: string): string => `
      IF array_length(string_to_array(body, $part$${before}$part$), 1) <> 2 THEN
        RAISE EXCEPTION 'the function ${name} has another text';
      END IF;
      body := replace(body, $part$${before}$part$, $part$${after}$part$);`;
