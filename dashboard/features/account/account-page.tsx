import type { ProfileView } from '../../../src/console/dashboard/profile-schema.ts';
import { person } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { EmailAddress } from './email-address.tsx';
import { OwnName } from './own-name.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { SignIns } from './sign-ins.tsx';
import { TwoFactor } from './two-factor.tsx';

/** The person's own sign-in. */
export function AccountPage() {
  const profile = useQuery<ProfileView>('/me');
  return (
    <>
      <PageHeader title="Your account" lead="Your name, and the ways in which you sign in." />
      {person.value?.must_set_two_factor && (
        <Notice kind="warning" title="Turn on two-factor sign-in to continue">
          The operator of this installation requires it.
        </Notice>
      )}
      <Loaded query={profile} skeleton={<Skeleton lines={18} />}>
        {(data) => (
          <>
            <OwnName profile={data} onChanged={profile.refresh} />
            <EmailAddress profile={data} />
            <Password profile={data} />
            <TwoFactor profile={data} onChanged={profile.refresh} />
            <SignIns profile={data} onChanged={profile.refresh} />
          </>
        )}
      </Loaded>
      <Sessions />
    </>
  );
}
