/** A system and a processor for which there is an archive. */
export type Platform = {
  /** The name in the archive's file name. */
  name: string;
  /** The npm package with the runtime. */
  runtimePackage: string;
  /** The bytes at the beginning of every program for this platform, and where they are. */
  magic: { at: number; bytes: readonly number[] };
};

const ELF_MACHINE = 18;
const MACH_O_PROCESSOR = 4;

export const platforms: readonly Platform[] = [
  {
    name: 'linux-x64',
    runtimePackage: '@oven/bun-linux-x64',
    magic: { at: ELF_MACHINE, bytes: [0x3e, 0x00] },
  },
  {
    name: 'linux-arm64',
    runtimePackage: '@oven/bun-linux-aarch64',
    magic: { at: ELF_MACHINE, bytes: [0xb7, 0x00] },
  },
  {
    name: 'darwin-x64',
    runtimePackage: '@oven/bun-darwin-x64',
    magic: { at: MACH_O_PROCESSOR, bytes: [0x07, 0x00, 0x00, 0x01] },
  },
  {
    name: 'darwin-arm64',
    runtimePackage: '@oven/bun-darwin-aarch64',
    magic: { at: MACH_O_PROCESSOR, bytes: [0x0c, 0x00, 0x00, 0x01] },
  },
];

/** The platform of this machine, or undefined if there is no archive for it. */
export const ownPlatform: Platform | undefined = platforms.find(
  ({ name }) => name === `${process.platform}-${process.arch}`,
);
