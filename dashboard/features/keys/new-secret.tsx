import type { ShownKey } from '../../../src/console/dashboard/key-schema.ts';
import { Button } from '../../components/button.tsx';
import { ClientSnippets } from '../../components/client-snippets.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';

/** A new secret with the settings of clients. Neither can be shown again. */
export const NewSecret = ({ shown, onDone }: { shown: ShownKey; onDone: () => void }) => (
  <div class="stack">
    <SecretOnce secret={shown.secret} label="This is the key." />
    <h3>Use it</h3>
    <ClientSnippets secret={shown.secret} keyId={shown.key.id} />
    <div class="actions">
      <Button kind="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
);
