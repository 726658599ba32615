import { Notice } from './notice.tsx';

/** Shows a viewer why a page shows no content. */
export const ContentHidden = () => (
  <Notice title="Viewers see no content">
    Owners and developers of the organization read what was asked and answered. Ask an owner for the role
    developer.
  </Notice>
);
