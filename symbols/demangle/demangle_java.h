/*
 * demangle_java: methods of Java as perf inject --jit names them in the files
 * it makes, Ljava/lang/Object;wait(J)V.
 */
#ifndef DEMANGLE_JAVA_H
#define DEMANGLE_JAVA_H

#include "lib/text.h"

/* Does as demangle. */
bool demangle_java(struct str mangled, struct text *out);

#endif
