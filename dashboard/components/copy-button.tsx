import { useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2_000;

export type CopyButtonProps = {
  text: string;
  label?: string;
  /** Names the copied text for screen readers. */
  about?: string;
};

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = 'Copy', about }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (button: HTMLElement) => {
    setState((await copyText(text, button)) ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), SHOWN_MS);
  };
  const caption = { idle: label, copied: 'Copied', failed: 'Select the text and press Ctrl+C' }[state];
  return (
    <button type="button" class="button quiet copy" onClick={({ currentTarget }) => void copy(currentTarget)}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{caption}</span>
      {about && <span class="hidden">: {about}</span>}
    </button>
  );
}
