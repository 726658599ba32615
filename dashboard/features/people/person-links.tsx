import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Section } from '../../components/section.tsx';
import type { PersonPart } from './person-part.ts';

type MadeLink = { kind: 'verification' | 'reset'; link: string };

const wishes = {
  verification: 'The person waits for a link that verifies the address.',
  reset: 'The person waits for a link that sets a new password.',
  invitation: 'The person waits for the link of an invitation. Invite the address again to get one.',
} as const;

const labels = {
  verification: 'The link that verifies the address.',
  reset: 'The link that sets a new password.',
};

/** Links to hand over, for people whom no mail reaches. Each is shown once. */
export function PersonLinks({ path, person, onChanged }: PersonPart) {
  const [made, setMade] = useState<MadeLink>();
  const make = useAction(async (kind: MadeLink['kind']) => {
    const { link } = await call<{ link: string }>('POST', `${path}/links`, { kind });
    setMade({ kind, link });
    await onChanged();
  });
  return (
    <Section title="Links" lead="If mail does not reach the person, make a link and pass it on." isCard>
      {person.wanted_links.map((kind) => (
        <Notice key={kind} kind="warning">
          {wishes[kind]}
        </Notice>
      ))}
      {make.problem && <ProblemNotice problem={make.problem} />}
      {made && <SecretOnce secret={made.link} label={labels[made.kind]} />}
      <div class="actions">
        <Button isRunning={make.isRunning} onClick={() => void make.run('reset')}>
          Make a link to reset the password
        </Button>
        {!person.email_verified && (
          <Button isRunning={make.isRunning} onClick={() => void make.run('verification')}>
            Make a link to verify the address
          </Button>
        )}
      </div>
    </Section>
  );
}
