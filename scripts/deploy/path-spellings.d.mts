export declare function pathSpellings(count: number): string[];
