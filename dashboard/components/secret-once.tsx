import { CopyButton } from './copy-button.tsx';

/** A secret that is shown a single time, such as a new key. */
export const SecretOnce = ({ secret, label }: { secret: string; label: string }) => (
  <div class="secret" role="status">
    <p>
      <strong>{label}</strong> Copy it now. It is not shown again.
    </p>
    <div class="secret-line">
      <code>{secret}</code>
      <CopyButton text={secret} />
    </div>
  </div>
);
