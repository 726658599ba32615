import { Notice } from './notice.tsx';

/** A notice on the pages of an organization whose operator keeps the content of requests. */
export const ContentNotice = () => (
  <div class="section">
    <Notice kind="warning" title="The content of requests is recorded">
      The operator of this server records the prompts and answers of this organization. Owners and developers
      see them with each request.
    </Notice>
  </div>
);
