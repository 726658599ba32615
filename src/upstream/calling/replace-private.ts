const ADDRESS = '[address]';
const ACCOUNT = '[account]';
const ID = '[id]';

type PrivatePattern = readonly [matches: RegExp, placeholder: string];

const emailOrLogin =
  /(?:[\w.+-]{1,64}:)?[\w.+-]{1,64}@[\w-]{1,64}(\.[\w-]{1,64})+(?::\d+)?(?:[/?][^\s"'<>)\]]*(?<![.,;:]))?/g;
const awsName = /\barn:aws[^\s"',]*/gi;
const filePath =
  /(?<![\w.])\/(?:srv|usr|home|opt|var|app|root|tmp|etc|mnt|workspace|data|v\d\w*)\b[\w./@-]*/g;
const ipv4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g;
const ipv6 = /\[?\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}\]?(?::\d+)?/gi;
const shortIpv6 = /\[?(?<![\w:])(?:[0-9a-f]{1,4}:)+(?::[0-9a-f]{1,4})+(?![\w:])\]?(?::\d+)?/gi;
const localhost = /\blocalhost(?::\d+)?/gi;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const hexId = /\b(?=[a-f]*\d)[0-9a-f]{24,}\b/gi;
const vendorId = /\b(?:org|proj|user|acct|req|resp|chatcmpl|msg|cmpl|run|asst|file|key)[-_](?=\w*\d)\w{6,}/gi;
/** Ids whose beginning is not a word of a message, so that they need no digit. */
const namedId = /\b(?:org|proj|acct|req)[-_]\w+/gi;
const projectNumber = /\bprojects?[/ ]\d+/gi;
const resourcePath =
  /\b(?:accounts|projects|organizations|workspaces|deployments|locations|publishers)\/[\w.@/-]+/gi;
const awsAccount = /(?<!\d)\d{12}(?!\d)/g;
const key = /\b(?:sk-|gsk_|xai-|AIza|AKIA|ASIA)[\w*.…-]*/g;

/** Addresses, accounts and keys in any text. The patterns are applied in this order. */
const privatePatterns: readonly PrivatePattern[] = [
  [emailOrLogin, ADDRESS],
  [awsName, ACCOUNT],
  [filePath, ADDRESS],
  [ipv4, ADDRESS],
  [ipv6, ADDRESS],
  [shortIpv6, ADDRESS],
  [localhost, ADDRESS],
  [uuid, ID],
  [hexId, ID],
  [vendorId, ID],
  [namedId, ID],
  [projectNumber, ACCOUNT],
  [resourcePath, ACCOUNT],
  [awsAccount, ACCOUNT],
  [key, '[redacted]'],
];

/** Replaces the addresses, accounts, ids and keys in a text. */
export const replacePrivate = (text: string): string =>
  privatePatterns.reduce((replaced, [matches, placeholder]) => replaced.replace(matches, placeholder), text);
