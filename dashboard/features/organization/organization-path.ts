import { inOrganization } from '../../app/session.ts';

/** Returns the path of the API for the organization. Without one, the pages of this folder are not shown. */
export const organizationPath = (path: string): string => inOrganization(path)!;
