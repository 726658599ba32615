export type AwsCredentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
