/** The build of a simulated program. It is the same for every commit. */
export const readBuild = (): { commit?: string; date?: string } => ({});
