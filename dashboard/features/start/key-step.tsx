import { hasRole } from '../../app/session.ts';
import { LinkButton } from '../../components/button.tsx';
import { Step } from './step.tsx';

/** The step that creates a key. A viewer reads who creates keys. */
export function KeyStep({ hasKey }: { hasKey: boolean }) {
  const mayCreate = hasRole('developer');
  return (
    <Step isDone={hasKey} title="Create a key">
      <p>
        {hasKey
          ? 'The secret of a key is shown once. If you do not have it, create another key.'
          : 'The secret of a key is shown once, with settings for common clients.'}
      </p>
      {mayCreate && (
        <LinkButton href="/keys?do=create">{hasKey ? 'Create another key' : 'Create a key'}</LinkButton>
      )}
      {!mayCreate && !hasKey && (
        <p>Your role is viewer. An owner or a developer of the organization creates keys.</p>
      )}
    </Step>
  );
}
