/** The prefixes of Google's words for a tier: of its enumeration, and of Vertex AI's kinds of traffic. */
const PREFIX = /^(?:service_tier_|on_demand_)/;

/** Returns the plain word for a tier that Google reports in an answer: `priority`, `flex`, `standard`. */
export const tierWord = (reported: string): string => reported.toLowerCase().replace(PREFIX, '');
