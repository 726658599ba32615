import { isFollowing } from '../app/events.ts';

/** Says whether the page follows by itself. */
export const LiveStatus = () => (
  <span class={isFollowing.value ? 'live' : 'live off'}>{isFollowing.value ? 'Live' : 'Connecting'}</span>
);
