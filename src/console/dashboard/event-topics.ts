/** The topics that a page can follow. */
export const eventTopics = ['requests', 'operations', 'figures'] as const;
export type EventTopic = (typeof eventTopics)[number];
