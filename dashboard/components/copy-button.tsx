import { useEffect, useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2_000;

type CopyButtonProps = {
  text: string;
  label?: string;
  /** Names the copied text for screen readers. */
  about?: string;
};

/** The outcome of one press. It is an object, so that each press starts the time anew. */
type Outcome = { state: 'idle' | 'copied' | 'failed' };
const idle: Outcome = { state: 'idle' };

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = 'Copy', about }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>(idle);
  useEffect(() => {
    if (outcome === idle) return;
    const timer = setTimeout(() => setOutcome(idle), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (button: HTMLElement) =>
    setOutcome({ state: (await copyText(text, button)) ? 'copied' : 'failed' });
  const { state } = outcome;
  const caption = { idle: label, copied: 'Copied', failed: 'Select the text and press Ctrl+C' }[state];
  return (
    <button type="button" class="button quiet copy" onClick={({ currentTarget }) => void copy(currentTarget)}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{caption}</span>
      {about && <span class="hidden">: {about}</span>}
    </button>
  );
}
