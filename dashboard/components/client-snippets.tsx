import type { SnippetList } from '../../src/console/dashboard/snippet-schema.ts';
import { withParameters } from '../app/address.ts';
import { inOrganization } from '../app/session.ts';
import { useQuery } from '../app/use-query.ts';
import { CodeBlock } from './code-block.tsx';
import { Loaded } from './loaded.tsx';
import { Prose } from './prose.tsx';
import { Tabs } from './tabs.tsx';

type ClientSnippetsProps = {
  /** The key, or its first characters where it is not known. */
  secret: string;
  keyId?: string;
  /** The model of the examples. The server chooses one if there is none. */
  model?: string;
};

/** The settings of clients, ready to be copied. The address keeps the chosen client. */
export function ClientSnippets({ secret, keyId, model }: ClientSnippetsProps) {
  const path = inOrganization(withParameters('/snippets', { key: keyId, model }));
  const query = useQuery<SnippetList>(path);
  return (
    <Loaded query={query}>
      {({ base_url, model: shownModel, is_callable, snippets }) => (
        <div class="stack">
          <p class="soft">
            Base URL <code>{base_url}</code>, model <code>{shownModel}</code>
            {!is_callable && '. The plan does not include this model, or no provider serves it.'}
          </p>
          <CodeBlock label="the key" code={`export API_KEY=${secret}`} />
          <Tabs label="Clients" param="client" tabs={snippets.map(({ id, title }) => ({ id, label: title }))}>
            {(id) => <Snippet snippet={snippets.find((snippet) => snippet.id === id)!} />}
          </Tabs>
        </div>
      )}
    </Loaded>
  );
}

const Snippet = ({ snippet: { note, parts } }: { snippet: SnippetList['snippets'][number] }) => (
  <div class="stack">
    <p class="soft">
      <Prose text={note} />
    </p>
    {parts.map(({ file, code }) => (
      <div key={code} class="stack tight">
        {file && (
          <p>
            <code>{file}</code>
          </p>
        )}
        <CodeBlock label={file ?? 'the commands'} code={code} />
      </div>
    ))}
  </div>
);
