import { CodeBlock } from '../../components/code-block.tsx';
import { Notice } from '../../components/notice.tsx';

/** Recovery codes, which are shown a single time. */
export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <div role="status">
    <Notice kind="warning" title="Keep these recovery codes.">
      If you lose the authenticator app, each code signs you in once. The codes are not shown again.
    </Notice>
    <CodeBlock code={codes.join('\n')} label="recovery codes" />
  </div>
);
