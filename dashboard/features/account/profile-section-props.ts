import type { ProfileView } from '../../../src/console/dashboard/profile-schema.ts';

/** The properties of a section of the account page that changes the profile. */
export type ProfileSectionProps = { profile: ProfileView; onChanged: () => Promise<void> };
