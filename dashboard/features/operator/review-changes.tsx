import { call } from '../../app/call.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { changedParts, diffLines } from './diff-lines.ts';
import { OPERATOR } from './operator-api.ts';
import type { Configuration, Reloaded } from './rows.ts';

type ReviewChangesProps = {
  configuration: Configuration;
  original: string;
  text: string;
  onSaved: () => Promise<void>;
  onClose: () => void;
};

const lineMarks = { same: '  ', added: '+ ', removed: '- ' } as const;

/** Shows the changes of the text, and then writes it. A text that cannot be written is downloaded. */
export function ReviewChanges({ configuration, original, text, onSaved, onClose }: ReviewChangesProps) {
  const save = async () => {
    if (!configuration.writable) return download(text);
    const body = { text, hash: configuration.hash };
    const { restart_needed, warnings } = await call<Reloaded>('POST', `${OPERATOR}/configuration`, body);
    const restarts = (restart_needed ?? []).map((name) => `${name} needs a restart.`);
    toast(`The configuration was written and reloaded. ${[...restarts, ...(warnings ?? [])].join(' ')}`);
    await onSaved();
  };
  return (
    <ConfirmDialog
      title="Review the changes"
      confirmLabel={configuration.writable ? 'Write and reload' : 'Download'}
      isDangerous={false}
      onConfirm={save}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre class="diff" tabIndex={0}>
        {changedParts(diffLines(original, text)).map(({ kind, text: line }, index) => (
          <span key={index} class={kind}>
            {lineMarks[kind]}
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </ConfirmDialog>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: 'tollgate.yaml' });
  link.click();
  URL.revokeObjectURL(address);
}
