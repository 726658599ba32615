import { CopyButton } from './copy-button.tsx';

/** Code with a button that copies it. `copied` replaces the shown text, for a shortened secret. */
export const CodeBlock = ({
  code,
  label,
  copied = code,
}: {
  code: string;
  /** Names the code on its button. */
  label?: string;
  copied?: string;
}) => (
  <div class="code-block">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
    <CopyButton text={copied} about={label} />
  </div>
);
