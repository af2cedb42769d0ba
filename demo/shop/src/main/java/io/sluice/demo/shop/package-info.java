/**
 * What a small shop of four services does with one request, and which versions took part in it.
 * It decides nothing about releases: versions, faults and the registry are given to each process from outside.
 */
@NullMarked
package io.sluice.demo.shop;

import org.jspecify.annotations.NullMarked;
