const BEDROCK_HOST =
  /(?:^|\.)bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

/** The region that a host of Bedrock's is in; other hosts have to be told. */
export const regionOfHost = (host: string): string | undefined => BEDROCK_HOST.exec(host.toLowerCase())?.[1];
