/** The part of stage.mjs that typed code uses: a release checks that two builds stage equal files. */
export declare function stageApp(root: string, folder: string): readonly string[]
