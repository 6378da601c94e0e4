// The viewer's script is checked by itself: eslint -c .ci/eslint.config.mjs
import js from "@eslint/js";
import globals from "globals";

export default [js.configs.recommended, {
	// of browsers since the beginning of 2020
	languageOptions: { sourceType: "script", ecmaVersion: 2020,
	    globals: globals.browser },
	rules: {
		"no-restricted-properties": ["error", ...["at", "findLast",
		    "replaceAll", "replaceChildren", "hasOwn", "toSorted"]
		    .map(property => ({ property }))],
		eqeqeq: "error",
		"no-eval": "error",
		"no-implicit-globals": "error",
		"no-shadow": "error",
		"no-var": "error",
		"prefer-const": "error",
		strict: ["error", "function"]
	}
}];
