const BEDROCK_HOST =
  /(?:^|\.)bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

/** Returns the region in a Bedrock host name. For other hosts the region must be configured. */
export const regionOfHost = (host: string): string | undefined => BEDROCK_HOST.exec(host.toLowerCase())?.[1];
