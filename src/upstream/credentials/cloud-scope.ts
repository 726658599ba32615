/** The scope of tokens for all services of Google Cloud. */
export const CLOUD_SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
